"""Edits that add what is missing around a value: a function, a layer, a factor, a further summand."""

import ast
from collections.abc import Iterator

from graders.repair.calls import LIBRARIES
from graders.repair.edit import Edit, Kind, Slot
from graders.repair.scope import Scope, leaf_of
from graders.repair.values import expression

_AROUND = (
    (Kind.MISSING, "({}).softmax(dim=-1)"),
    (Kind.MISSING, "({}).transpose(-2, -1)"),
    (Kind.AXES_ORDER, "({}).transpose(1, 2)"),
    (Kind.MISSING, "({}) / ({}).shape[-1] ** 0.5"),
    (Kind.MISSING, "({}) ** 0.5"),
    (Kind.CONDITION, "~({})"),
    (Kind.OPERATION, "-({})"),
    (Kind.MISSING, "({}).bool()"),
    (Kind.MISSING, "({}).contiguous()"),
    (Kind.IN_PLACE, "({}).clone()"),
    (Kind.MISSING, "({}).relu()"),
    (Kind.MISSING, "torch.nn.functional.gelu({})"),
    (Kind.MISSING, "({}).unsqueeze(1)"),
    (Kind.MISSING, "({}).unsqueeze(-1)"),
    (Kind.NUMBER, "({}) + 1"),
    (Kind.NUMBER, "({}) - 1"),
)
_MASKED = "({}) if {mask} is None else ({}).masked_fill({mask}, float('-inf'))"
_NO_VALUES = LIBRARIES | {"self", "super", "range", "len", "int", "float", "print", "isinstance", "None"}
SUMMANDS = 6  # variables that may be missing as a summand
_ELSEWHERE = {"func", "decorator_list", "bases", "annotation", "returns", "keywords", "defaults", "kw_defaults"}
_NO_TENSOR = {"range", "len", "print", "super", "size", "item", "isinstance", "format", "Linear", "LayerNorm"}


def insert_around(node: ast.AST, slot: Slot, scope: Scope) -> Iterator[Edit]:
    """The edits that put something around a value."""
    if not _may_be_tensor(node, slot) or scope.unit.constructs:
        return
    text, line = ast.unparse(node), node.lineno  # type: ignore[attr-defined]
    for name in scope.layers:
        yield slot.replaced(Kind.LAYER, 2, line, expression(f"self.{name}({text})"))
    for kind, around in _AROUND:
        yield slot.replaced(kind, 2, line, expression(around.replace("{}", text)))
    for name in scope.arguments if isinstance(slot.parent, ast.Call | ast.Assign) else ():
        if "mask" in name:
            masked = _MASKED.replace("{mask}", name).replace("{}", text)
            yield slot.replaced(Kind.MISSING, 2, line, expression(masked))
    for name in scope.names[:SUMMANDS]:
        if name != text:
            yield slot.replaced(Kind.MISSING, 3, line, expression(f"({text}) + {name}"))
            yield slot.replaced(Kind.MISSING, 3, line, expression(f"({text}) / {name}"))
            if not isinstance(node, ast.Name):
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
