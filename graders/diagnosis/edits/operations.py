"""Edits of operations: between two values, of one, comparisons, choices."""

import ast
from collections.abc import Iterator

from graders.diagnosis.edits.edit import Edit, Kind, Slot, change

_BINARY = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.MatMult)
_LOGICAL = (ast.BitAnd, ast.BitOr, ast.BitXor)
_COMPARED = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def edit_operation(node: ast.AST, slot: Slot) -> Iterator[Edit]:
    """The edits of an operation."""
    if isinstance(node, ast.BinOp):
        yield from _edit_binary(node, slot)
    elif isinstance(node, ast.UnaryOp) and not isinstance(node.operand, ast.Constant):
        yield slot.replaced(Kind.CONDITION, 1, node.lineno, node.operand)
    elif isinstance(node, ast.Compare) and len(node.ops) == 1:
        for other in _COMPARED:
            if isinstance(node.ops[0], _COMPARED) and not isinstance(node.ops[0], other):
                yield change(Kind.COMPARISON, 1, node, "ops", [other()])
    elif isinstance(node, ast.BoolOp):
        either = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield change(Kind.CONDITION, 1, node, "op", either)
    elif isinstance(node, ast.IfExp):
        yield slot.replaced(Kind.CONDITION, 1, node.lineno, node.body)
        yield slot.replaced(Kind.CONDITION, 1, node.lineno, node.orelse)
    elif isinstance(node, ast.AugAssign):
        for operator in _BINARY:
            if not isinstance(node.op, operator):
                yield change(Kind.OPERATION, 1, node, "op", operator())


def _edit_binary(node: ast.BinOp, slot: Slot) -> Iterator[Edit]:
    family = _LOGICAL if isinstance(node.op, _LOGICAL) else _BINARY
    for operator in family:
        if not isinstance(node.op, operator):
            yield change(Kind.OPERATION, 1, node, "op", operator())
    if not isinstance(node.op, ast.Add | ast.Mult):
        yield slot.replaced(Kind.OPERATION, 1, node.lineno, ast.BinOp(node.right, node.op, node.left))
    yield slot.replaced(Kind.TOO_MUCH, 2, node.lineno, node.left)
    yield slot.replaced(Kind.TOO_MUCH, 2, node.lineno, node.right)
