"""Edits of values: numbers, truth values, names, attributes, pairs."""

import ast
from collections.abc import Iterator

from graders.diagnosis.edits.edit import Edit, Kind, Slot
from graders.diagnosis.edits.scope import Scope, is_of_self

_INTEGERS = (0, 1, 2, 3, -1, -2, -3, 4)
_FLOATS = ("float('-inf')", "-1e9", "0.0", "1.0", "0.5", "1e-5", "1e-12", "1e-8", "1e-6")
_AXES = {"dim", "axis", "start_dim", "end_dim", "dims"}
_OF_AXES = {
    "softmax", "log_softmax", "cat", "concat", "stack", "sum", "mean", "var", "std", "unsqueeze", "squeeze",
    "transpose", "permute", "argmax", "argsort", "cumsum", "flatten", "chunk", "split", "swapaxes", "norm",
    "size", "max", "min", "flip", "roll",
}  # fmt: skip


def edit_value(node: ast.AST, slot: Slot, scope: Scope) -> Iterator[Edit]:
    """The edits that put another value in the place of one."""
    if (constant := _constant(node)) is not None:
        if not isinstance(slot.parent, ast.UnaryOp):
            yield from _edit_constant(constant, node.lineno, slot)  # type: ignore[attr-defined]
            yield from _size_for_number(constant, node.lineno, slot, scope)  # type: ignore[attr-defined]
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in scope.names:
        yield from _edit_name(node, slot, scope)
    elif is_of_self(node) and isinstance(node.ctx, ast.Load):  # type: ignore[attr-defined]
        yield from _edit_attribute(node, slot, scope)  # type: ignore[arg-type]
    elif isinstance(node, ast.Attribute) and node.attr == "data" and isinstance(node.ctx, ast.Load):
        yield slot.replaced(Kind.TOO_MUCH, 1, node.lineno, node.value)
    elif isinstance(node, ast.Tuple) and isinstance(node.ctx, ast.Load) and len(node.elts) == 2:
        yield slot.replaced(Kind.VALUE, 2, node.lineno, ast.Tuple(node.elts[::-1], ast.Load()))


def _edit_name(node: ast.Name, slot: Slot, scope: Scope) -> Iterator[Edit]:
    """A size for a size, and a tensor for a tensor; then the others."""
    is_size = node.id in scope.sizes
    for name in scope.names:
        if name != node.id:
            cost = 1 if (name in scope.sizes) is is_size else 4
            yield slot.replaced(Kind.VALUE, cost, node.lineno, ast.Name(name, ast.Load()))
    for name in scope.values if is_size else ():
        cost = 3 if _is_in_shape(slot) else 1
        yield slot.replaced(Kind.VALUE, cost, node.lineno, expression(f"self.{name}"))


def _is_in_shape(slot: Slot) -> bool:
    return isinstance(slot.parent, ast.Call) and getattr(slot.parent.func, "attr", None) in (
        "view",
        "reshape",
    )


def _constant(node: ast.AST) -> bool | int | float | str | None:
    """The value of a constant, also of one with a sign."""
    if isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float | str):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _constant(node.operand)
        return -value if isinstance(value, int | float) else None
    return None


def _edit_constant(value: bool | int | float | str, line: int, slot: Slot) -> Iterator[Edit]:
    if isinstance(value, bool):
        yield slot.replaced(Kind.VALUE, 1, line, ast.Constant(not value))
    elif isinstance(value, int):
        kind = Kind.AXIS if _is_axis(slot) else Kind.NUMBER
        for other in dict.fromkeys([value + 1, value - 1, -value, *_INTEGERS, 2 * value]):
            if other != value:
                yield slot.replaced(kind, 1, line, expression(str(other)))
    elif isinstance(value, float):
        inverse = [str(1 / value), str(1 - value)] if value and abs(value) < 1e30 else []
        for text in dict.fromkeys([str(-value), *inverse, *_FLOATS]):
            yield slot.replaced(Kind.NUMBER, 1, line, expression(text))
    elif value in ("inf", "-inf"):
        yield slot.replaced(Kind.NUMBER, 1, line, ast.Constant("-inf" if value == "inf" else "inf"))
    elif value in ("tanh", "none"):
        yield slot.replaced(Kind.VALUE, 1, line, ast.Constant("none" if value == "tanh" else "tanh"))


def _size_for_number(value: bool | int | float | str, line: int, slot: Slot, scope: Scope) -> Iterator[Edit]:
    """A size of the function's own for a number that stands where a size is due."""
    if type(value) is int and value > 0 and not _is_axis(slot) and isinstance(slot.parent, ast.Call):
        for name in (name for name in scope.names if name in scope.sizes):
            yield slot.replaced(Kind.VALUE, 2, line, ast.Name(name, ast.Load()))


def _is_axis(slot: Slot) -> bool:
    parent = slot.parent
    if isinstance(parent, ast.keyword):
        return parent.arg in _AXES
    return isinstance(parent, ast.Call) and getattr(parent.func, "attr", None) in _OF_AXES


def _edit_attribute(node: ast.Attribute, slot: Slot, scope: Scope) -> Iterator[Edit]:
    layers = node.attr in scope.layers
    for name in scope.layers if layers else scope.values:
        if name != node.attr:
            new = expression(f"self.{name}")
            yield slot.replaced(Kind.LAYER if layers else Kind.VALUE, 1, node.lineno, new)
    for name in () if layers else scope.names:
        if name in scope.sizes:
            yield slot.replaced(Kind.VALUE, 2, node.lineno, ast.Name(name, ast.Load()))


def expression(text: str) -> ast.expr:
    """The tree of an expression."""
    return ast.parse(text, mode="eval").body
