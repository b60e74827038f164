"""Edits of statements: dropped, moved, with their result kept, with another return."""

import ast
from collections.abc import Iterator

from graders.repair.edit import Edit, Kind, Slot
from graders.repair.scope import Scope
from graders.repair.values import expression

_CHANGING = ("masked_fill_", "add_", "mul_", "div_", "sub_", "copy_", "fill_", "softmax_", "transpose_")


def edit_statement(node: ast.AST, slot: Slot, scope: Scope) -> Iterator[Edit]:
    """The edits of a statement."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return
    if not isinstance(node, ast.stmt) or slot.index is None:
        return
    body, index = getattr(slot.parent, slot.field), slot.index

    def changed(kind: Kind, cost: int, statements: list[ast.stmt], upto: int = index + 1) -> Edit:
        new = [*body[:index], *statements, *body[upto:]] or [ast.Pass()]
        return Edit(kind, cost, node.lineno, slot.parent, slot.field, new)

    if not _is_text(node):
        yield changed(Kind.STATEMENT, 1, [])
    if index + 1 < len(body):
        yield changed(Kind.STATEMENTS_ORDER, 2, [body[index + 1], node], index + 2)
    if isinstance(node, ast.If):
        yield changed(Kind.CONDITION, 2, node.body)
        yield Edit(Kind.CONDITION, 1, node.lineno, node, "test", ast.UnaryOp(ast.Not(), node.test))
    if isinstance(node, ast.For | ast.If | ast.With) and node.body:
        kept = [*node.body[:-1]] or [ast.Pass()]
        inner = type(node)(**{**{f: getattr(node, f, None) for f in node._fields}, "body": kept})
        inner.lineno = node.lineno
        moved = node.body[-1]
        new = [*body[:index], inner, moved, *body[index + 1 :]]
        yield Edit(Kind.STATEMENT, 1, moved.lineno, slot.parent, slot.field, new)
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        value = ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value)
        yield changed(Kind.IN_PLACE, 1, [_assigned(node.target.id, value, node)])
    if lost := _lost_result(node):
        yield changed(Kind.LOST_RESULT, 1, [lost])
    yield from _edit_return(node, scope, changed)


def add_return(scope: Scope) -> Iterator[Edit]:
    """The edits that let a function without a `return` at its end return one of its variables."""
    node = scope.unit.node
    last = node.body[-1]
    if isinstance(last, ast.Return) or scope.unit.constructs:
        return
    for name in reversed(scope.names):
        new = [*node.body, ast.Return(ast.Name(name, ast.Load()))]
        yield Edit(Kind.RETURN, 1, last.lineno, node, "body", new)


def _edit_return(node: ast.stmt, scope: Scope, changed: "type[object] | object") -> Iterator[Edit]:
    if not isinstance(node, ast.Return):
        return
    for name in scope.names:
        if ast.unparse(node.value) != name if node.value else True:
            yield Edit(Kind.RETURN, 2, node.lineno, node, "value", ast.Name(name, ast.Load()))
        if node.value is not None and not isinstance(node.value, ast.Tuple):
            pair = ast.Tuple([node.value, ast.Name(name, ast.Load())], ast.Load())
            yield Edit(Kind.RETURN, 2, node.lineno, node, "value", pair)
    if isinstance(node.value, ast.Tuple) and node.value.elts:
        yield Edit(Kind.RETURN, 1, node.lineno, node, "value", node.value.elts[0])


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
