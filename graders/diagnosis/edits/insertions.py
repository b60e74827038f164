"""Edits that add what is missing around a value: a function, a layer, a factor, a further summand."""

import ast
from collections.abc import Iterator
from dataclasses import replace

from graders.diagnosis.edits.calls import LIBRARIES
from graders.diagnosis.edits.edit import Edit, Kind, Slot
from graders.diagnosis.edits.scope import Scope, leaf_of
from graders.diagnosis.edits.values import expression

_OF_A_VALUE = (
    (Kind.MISSING, 2, "({}).softmax(dim=-1)"),
    (Kind.MISSING, 2, "({}) / ({}).shape[-1] ** 0.5"),
    (Kind.MISSING, 2, "({}) ** 0.5"),
    (Kind.MISSING, 2, "({}).relu()"),
    (Kind.MISSING, 2, "torch.nn.functional.gelu({})"),
    (Kind.OPERATION, 3, "-({})"),
    (Kind.MISSING, 3, "({}).contiguous()"),
)
_OF_AN_OPERAND = (
    (Kind.MISSING, "({}).transpose(-2, -1)"),
    (Kind.AXES_ORDER, "({}).transpose(1, 2)"),
)
_OF_ANYTHING = (
    (Kind.CONDITION, "~({})"),
    (Kind.MISSING, "({}).bool()"),
    (Kind.MISSING, "({}).unsqueeze(1)"),
    (Kind.MISSING, "({}).unsqueeze(-1)"),
    (Kind.IN_PLACE, "({}).clone()"),
)
_OF_A_SIZE = ((Kind.NUMBER, "({}) + 1"), (Kind.NUMBER, "({}) - 1"))
_MASKED = (
    "({}) if {mask} is None else ({}).masked_fill({mask}, float('-inf'))",
    "({}) if {mask} is None else ({}).masked_fill({mask} == 0, float('-inf'))",
)
_NO_VALUES = LIBRARIES | {"self", "super", "range", "len", "int", "float", "print", "isinstance", "None"}
SUMMANDS = 6  # variables that may be missing as a summand
_ELSEWHERE = {
    "func",
    "decorator_list",
    "bases",
    "annotation",
    "returns",
    "keywords",
    "defaults",
    "kw_defaults",
}
_NO_TENSOR = {"range", "len", "print", "super", "size", "item", "isinstance", "format", "Linear", "LayerNorm"}


def insert_around(node: ast.AST, slot: Slot, scope: Scope) -> Iterator[Edit]:
    """The edits that put something around a value."""
    if not _may_be_tensor(node, slot) or scope.unit.constructs:
        return
    text, line = ast.unparse(node), node.lineno  # type: ignore[attr-defined]
    if scope.is_size(node):
        for kind, around in _OF_A_SIZE:
            yield slot.replaced(kind, 2, line, expression(around.replace("{}", text)))
        return
    whole = _is_whole(node, slot)
    for name in scope.layers if whole else ():
        yield slot.replaced(Kind.LAYER, 2, line, expression(f"self.{name}({text})"))
    for kind, cost, around in _OF_A_VALUE if whole else ():
        yield slot.replaced(kind, cost, line, expression(around.replace("{}", text)))
    usual = 3 if scope.layers and "mask" not in text else 2  # code without layers makes masks, or joins heads
    for kind, around in _OF_ANYTHING:
        yield slot.replaced(kind, usual, line, expression(around.replace("{}", text)))
    for kind, around in _OF_AN_OPERAND:
        cost = 1 if _is_laid_out(slot) else 2 if whole or isinstance(slot.parent, ast.BinOp) else 3
        edit = slot.replaced(kind, cost, line, expression(around.replace("{}", text)))
        ends = (
            f"{leaf_of(node)} {' '.join(map(ast.unparse, node.args))}" if isinstance(node, ast.Call) else ""
        )
        yield replace(edit, rule=ends and f"{around} around {ends}")
    if whole:
        yield from _masked(text, line, slot, scope)
        yield from _with_another(node, text, line, slot, scope)


def _is_whole(node: ast.AST, slot: Slot) -> bool:
    """Whether a value is assigned, returned or given to a call; those inside of a chain of calls are not."""
    whole = ast.Assign | ast.Return | ast.Call | ast.Tuple | ast.AugAssign | ast.keyword
    return isinstance(slot.parent, whole) or isinstance(node, ast.Name)


def _is_laid_out(slot: Slot) -> bool:
    """Whether a value is given another shape: the order of its axes matters there."""
    return isinstance(slot.parent, ast.Attribute) and slot.parent.attr in ("view", "reshape", "flatten")


def _masked(text: str, line: int, slot: Slot, scope: Scope) -> Iterator[Edit]:
    for name in scope.arguments:
        if "mask" in name and isinstance(slot.parent, ast.Call | ast.Assign):
            for masked in _MASKED:
                new = expression(masked.replace("{mask}", name).replace("{}", text))
                yield slot.replaced(Kind.MISSING, 2, line, new)


def _with_another(node: ast.AST, text: str, line: int, slot: Slot, scope: Scope) -> Iterator[Edit]:
    """A further summand or divisor, or another variable in its place."""
    for name in scope.names[:SUMMANDS]:
        if name == text:
            continue
        operator = "/" if name in scope.sizes else "+"
        yield slot.replaced(Kind.MISSING, 3, line, expression(f"({text}) {operator} {name}"))
        if not isinstance(node, ast.Name) and name not in scope.sizes:
            yield slot.replaced(Kind.VALUE, 3, line, expression(name))


def _may_be_tensor(node: ast.AST, slot: Slot) -> bool:
    if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del) or slot.field in _ELSEWHERE:
        return False
    if isinstance(slot.parent, ast.Expr):
        return False
    if isinstance(slot.parent, ast.Attribute):
        return isinstance(node, ast.Name | ast.Call | ast.BinOp) and not _is_named(node, _NO_VALUES)
    if isinstance(node, ast.Call):
        return leaf_of(node) not in _NO_TENSOR
    return isinstance(node, ast.BinOp | ast.Attribute | ast.Subscript) or (
        isinstance(node, ast.Name) and node.id not in _NO_VALUES
    )


def _is_named(node: ast.AST, names: set[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in names
