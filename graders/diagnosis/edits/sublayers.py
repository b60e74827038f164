"""Edits of the order of a norm and a sublayer with its sum: `n(x + f(x))` and `x + f(n(x))`.

The two orders are those of Vaswani et al. 2017 and of Xiong et al., "On layer normalization in the
transformer architecture", ICML 2020. To change one takes edits at two places, for all sublayers at once.
"""

import ast
import copy
from collections.abc import Iterator

from graders.diagnosis.edits.edit import Edit, Kind
from graders.diagnosis.edits.scope import Scope, is_of_self, leaf_of


def move_norms(scope: Scope) -> Iterator[Edit]:
    """The edits that put all norms of a block before their sublayers, or behind the sums."""
    if scope.unit.constructs:
        return
    for move in (_put_before, _put_behind):
        node = copy.deepcopy(scope.unit.node)
        lines = [line for line in (move(node, at) for at in range(len(node.body))) if line]
        if lines:
            owner = scope.unit.node
            yield Edit(kind=Kind.LAYER, cost=2, line=lines[0], owner=owner, field="body", value=node.body)


def _put_before(function: ast.FunctionDef | ast.AsyncFunctionDef, at: int) -> int | None:
    """`x = n(x + f)`: the sum alone, and n around x where a layer got it before; the line."""
    statement = function.body[at]
    if not isinstance(statement, ast.Assign | ast.Return) or not _is_norm(norm := statement.value):
        return None
    assert isinstance(norm, ast.Call)
    total = norm.args[0]
    if not isinstance(total, ast.BinOp) or not isinstance(total.op, ast.Add):
        return None
    names = [each.id for each in (total.left, total.right) if isinstance(each, ast.Name)]
    for name in names:
        since = [statement, *_since_assigned(function.body[:at], name)]
        if any(_give_norm(each, name, norm.func) for each in since):
            statement.value = total
            return statement.lineno
    return None


def _since_assigned(before: list[ast.stmt], name: str) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    for statement in reversed(before):
        stored = (n for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
        found.append(statement)
        if any(each.id == name for each in stored):
            break
    return found


def _give_norm(statement: ast.stmt, name: str, norm: ast.expr) -> bool:
    """Give layers that get `name` its norm; whether one does."""
    given = False
    for call in ast.walk(statement):
        if not isinstance(call, ast.Call) or not is_of_self(call.func) or _is_norm(call):
            continue
        for index, argument in enumerate(call.args):
            if isinstance(argument, ast.Name) and argument.id == name:
                call.args[index] = ast.Call(norm, [ast.Name(name, ast.Load())], [])
                given = True
    return given


def _put_behind(function: ast.FunctionDef | ast.AsyncFunctionDef, at: int) -> int | None:
    """`x = x + f(n(x))`: n around the sum, and x alone where it was; the line."""
    statement = function.body[at]
    value = statement.value if isinstance(statement, ast.Assign | ast.AugAssign | ast.Return) else None
    if isinstance(statement, ast.AugAssign):
        value = ast.BinOp(
            ast.Name(getattr(statement.target, "id", "_"), ast.Load()), ast.Add(), statement.value
        )
    if not isinstance(value, ast.BinOp) or not isinstance(value.op, ast.Add):
        return None
    taken = _TakeNorm()
    value = taken.visit(value)
    if taken.norm is None:
        return None
    whole = ast.Call(taken.norm, [value], [])
    if isinstance(statement, ast.Assign | ast.Return):
        statement.value = whole
    elif isinstance(statement, ast.AugAssign):
        function.body[at] = ast.Assign([copy.copy(statement.target)], whole, lineno=statement.lineno)
    return statement.lineno


class _TakeNorm(ast.NodeTransformer):
    """Takes the first norm out of an expression; `norm` is what was called."""

    def __init__(self) -> None:
        self.norm: ast.expr | None = None

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if self.norm is None and _is_norm(node):
            self.norm = node.func
            return node.args[0]
        return self.generic_visit(node)


def _is_norm(node: ast.AST | None) -> bool:
    """Whether a node is a call of a layer of `self` with one argument whose name says a norm."""
    if not isinstance(node, ast.Call) or len(node.args) != 1 or not is_of_self(node.func):
        return False
    name = (leaf_of(node) or "").lower()
    return "norm" in name or name.startswith("ln")
