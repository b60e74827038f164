"""Edits of statements: dropped, moved, with their result kept, with another return."""

import ast
import copy
from collections.abc import Iterator

from graders.diagnosis.edits.edit import Edit, Kind, Slot, change
from graders.diagnosis.edits.scope import Scope
from graders.diagnosis.edits.values import expression

_CHANGING = ("masked_fill_", "add_", "mul_", "div_", "sub_", "copy_", "fill_", "softmax_", "transpose_")


def edit_statement(node: ast.AST, slot: Slot, scope: Scope) -> Iterator[Edit]:
    """The edits of a statement."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return
    if not isinstance(node, ast.stmt) or slot.index is None:
        return
    body, line = getattr(slot.parent, slot.field), node.lineno
    if not _is_text(node):
        yield slot.instead(Kind.STATEMENT, 1, line, [])
    if slot.index + 1 < len(body):
        yield slot.instead(Kind.STATEMENTS_ORDER, 2, line, [body[slot.index + 1], node], 2)
    if isinstance(node, ast.If):
        yield slot.instead(Kind.CONDITION, 2, line, node.body)
        yield change(Kind.CONDITION, 1, node, "test", ast.UnaryOp(ast.Not(), node.test))
    if isinstance(node, ast.For | ast.If | ast.With) and node.body:
        inner, moved = copy.copy(node), node.body[-1]
        inner.body = node.body[:-1] or [ast.Pass()]
        yield slot.instead(Kind.STATEMENT, 1, moved.lineno, [inner, moved])
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        value = ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value)
        yield slot.instead(Kind.IN_PLACE, 1, line, [_assigned(node.target.id, value, node)])
    if lost := _lost_result(node):
        yield slot.instead(Kind.LOST_RESULT, 1, line, [lost])
    yield from _edit_return(node, scope)


def add_return(scope: Scope) -> Iterator[Edit]:
    """The edits that let a function without a `return` at its end return one of its variables."""
    node = scope.unit.node
    last = node.body[-1]
    if isinstance(last, ast.Return) or scope.unit.constructs:
        return
    for name in reversed(scope.names):
        new = [*node.body, ast.Return(ast.Name(name, ast.Load()))]
        yield Edit(kind=Kind.RETURN, cost=1, line=last.lineno, owner=node, field="body", value=new)


def read_masks_otherwise(scope: Scope) -> Iterator[Edit]:
    """The edits that turn a mask round, or make it True and False, before the first line that has it."""
    node = scope.unit.node
    for name in scope.arguments:
        lines = (n for n, line in enumerate(node.body) if not _is_text(line) and _reads(line, name))
        first = next(lines, None) if "mask" in name else None
        if first is not None:
            for read in (f"{name} == 0", f"{name} != 0"):
                made = _assigned(name, expression(f"None if {name} is None else {read}"), node.body[first])
                new = [*node.body[:first], made, *node.body[first:]]
                line = node.body[first].lineno
                yield Edit(kind=Kind.CONDITION, cost=2, line=line, owner=node, field="body", value=new)


def _reads(statement: ast.stmt, name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(statement))


def _edit_return(node: ast.stmt, scope: Scope) -> Iterator[Edit]:
    if not isinstance(node, ast.Return):
        return
    for name in (name for name in scope.names if name not in scope.sizes):
        if ast.unparse(node.value) != name if node.value else True:
            yield change(Kind.RETURN, 2, node, "value", ast.Name(name, ast.Load()))
        if node.value is not None and not isinstance(node.value, ast.Tuple):
            pair = ast.Tuple([node.value, ast.Name(name, ast.Load())], ast.Load())
            yield change(Kind.RETURN, 2, node, "value", pair)
    if isinstance(node.value, ast.Tuple) and node.value.elts:
        yield change(Kind.RETURN, 1, node, "value", node.value.elts[0])


def _lost_result(node: ast.stmt) -> ast.stmt | None:
    """`x = x.f(...)` for a statement `x.f(...)`, and for one that changes x in place."""
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return None
    called = node.value.func
    if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) and called.value.id != "self":
        name, call = called.value.id, node.value
        if called.attr in _CHANGING:
            other = expression(f"{name}.{called.attr.rstrip('_')}")
            call = ast.Call(other, call.args, call.keywords)
        return _assigned(name, call, node)
    return None


def _assigned(name: str, value: ast.expr, at: ast.stmt) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value, lineno=at.lineno)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
