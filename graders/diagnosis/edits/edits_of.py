"""All edits of a function, from those that students need most often."""

import ast
from collections.abc import Iterator

from graders.diagnosis.edits.calls import edit_call
from graders.diagnosis.edits.edit import Edit, Kind, Slot
from graders.diagnosis.edits.insertions import insert_around
from graders.diagnosis.edits.operations import edit_operation
from graders.diagnosis.edits.scope import Scope
from graders.diagnosis.edits.statements import add_return, edit_statement, read_masks_otherwise
from graders.diagnosis.edits.sublayers import move_norms
from graders.diagnosis.edits.unit import Unit
from graders.diagnosis.edits.values import edit_value, expression

_DEFAULTS = ("None", "0.1", "0.0", "1e-5")
_NOT_EDITED = {"decorator_list", "returns", "annotation", "type_comment"}


def edits_of(unit: Unit) -> list[Edit]:
    """The edits of a unit, by their cost and then in the order of the text."""
    scope = Scope(unit)
    found = [*add_return(scope), *_defaults(unit), *_edits_below(unit.node, scope)]
    found += [*_everywhere(found), *read_masks_otherwise(scope), *move_norms(scope)]
    return sorted(found, key=lambda edit: edit.cost)


def _everywhere(edits: list[Edit]) -> Iterator[Edit]:
    """The edits of one rule at all places at once: queries, keys and values are mostly wrong in one way."""
    by_rule: dict[str, list[Edit]] = {}
    for edit in edits:
        if edit.rule:
            by_rule.setdefault(edit.rule, []).append(edit)
    for first, *others in by_rule.values():
        if others and (everywhere := first.everywhere(others)):
            yield everywhere


def _edits_below(function: ast.AST, scope: Scope) -> Iterator[Edit]:
    for node, slot in _slots(function):
        yield from edit_value(node, slot, scope)
        yield from edit_operation(node, slot)
        yield from edit_call(node, slot, scope)
        yield from edit_statement(node, slot, scope)
        yield from insert_around(node, slot, scope)
        yield from _unshared(node, slot)


def _slots(node: ast.AST) -> Iterator[tuple[ast.AST, Slot]]:
    """The nodes below a function's arguments and body, with their places."""
    for field, value in ast.iter_fields(node):
        if field in _NOT_EDITED or (field == "args" and isinstance(value, ast.arguments)):
            continue
        children = enumerate(value) if isinstance(value, list) else [(None, value)]
        for index, child in children:
            if isinstance(child, ast.AST):
                yield child, Slot(node, field, index)
                yield from _slots(child)


def _defaults(unit: Unit) -> Iterator[Edit]:
    """Other defaults of numbers among the arguments."""
    arguments = unit.node.args
    for index, default in enumerate(arguments.defaults):
        if isinstance(default, ast.Constant) and type(default.value) in (int, float):
            for text in _DEFAULTS:
                yield Slot(arguments, "defaults", index).replaced(
                    Kind.DEFAULT, 1, default.lineno, expression(text)
                )


def _unshared(node: ast.AST, slot: Slot) -> Iterator[Edit]:
    """`[f() for _ in range(n)]` for `[f()] * n`, in which all entries are one."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and isinstance(node.left, ast.List):
        elements, count = ast.unparse(node.left)[1:-1], ast.unparse(node.right)
        if len(node.left.elts) == 1:
            new = expression(f"[{elements} for _ in range({count})]")
            yield slot.replaced(Kind.SHARED, 1, node.lineno, new)
