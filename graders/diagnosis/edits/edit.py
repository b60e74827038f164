"""An edit of a syntax tree: what it changes, and what kind of place it changes."""

import ast
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

EVERYWHERE = 2  # the cost of an edit that is made at several places at once


class Kind(StrEnum):
    """What is edited: what a reader is told of the place."""

    AXIS = "axis"
    NUMBER = "number"
    AXES_ORDER = "axes_order"
    OPERATION = "operation"
    COMPARISON = "comparison"
    FUNCTION = "function"
    VALUE = "value"
    LAYER = "layer"
    ARGUMENTS = "arguments"
    MISSING = "missing"
    TOO_MUCH = "too_much"
    LOST_RESULT = "lost_result"
    STATEMENT = "statement"
    STATEMENTS_ORDER = "statements_order"
    CONDITION = "condition"
    RETURN = "return"
    DEFAULT = "default"
    IN_PLACE = "in_place"
    SHARED = "shared"


@dataclass(frozen=True)
class Edit:
    """A change of one field of one node of a tree.

    Attributes:
        kind: what is edited.
        cost: how rarely students need it: from 1 for the likeliest.
        line: the line of what is edited, in the cell or the module.
        owner: the node whose field changes.
        field: the field.
        value: what it is afterwards.
        rule: what is done, the same text wherever the same is done; empty where that never helps.
        also: further edits that are made at once.
    """

    kind: Kind
    cost: int
    line: int
    owner: ast.AST
    field: str
    value: Any
    rule: str = ""
    also: "tuple[Edit, ...]" = ()

    @contextmanager
    def made(self) -> Iterator[None]:
        """Inside the block, the tree is as it is after the edit."""
        edits = (self, *self.also)
        before = [getattr(edit.owner, edit.field) for edit in edits]
        for edit in edits:
            setattr(edit.owner, edit.field, edit.value)
        try:
            yield
        finally:
            for edit, value in zip(edits, before, strict=True):
                setattr(edit.owner, edit.field, value)

    def everywhere(self, others: "Sequence[Edit]") -> "Edit | None":
        """This edit and others of one rule at once, at the first one's line; None where they meet."""
        fields = {(id(edit.owner), edit.field) for edit in (self, *others)}
        if len(fields) <= len(others):
            return None
        return replace(self, cost=EVERYWHERE, also=tuple(others))


def change(kind: Kind, cost: int, node: ast.expr | ast.stmt, field: str, value: Any) -> Edit:
    """The edit that changes a field of a node, at whose line it stands."""
    return Edit(kind=kind, cost=cost, line=node.lineno, owner=node, field=field, value=value)


@dataclass(frozen=True)
class Slot:
    """Where a node stands in its tree: in a field of its parent, at an index where that is a list."""

    parent: ast.AST
    field: str
    index: int | None

    def replaced(self, kind: Kind, cost: int, line: int, new: ast.AST) -> Edit:
        """The edit that puts another node here."""
        if self.index is None:
            return self._filled(kind, cost, line, new)
        values = [*getattr(self.parent, self.field)]
        values[self.index] = new
        return self._filled(kind, cost, line, values)

    def instead(self, kind: Kind, cost: int, line: int, statements: list[ast.stmt], count: int = 1) -> Edit:
        """The edit that puts other statements in the place of so many, from this one on."""
        body, index = getattr(self.parent, self.field), self.index or 0
        new = [*body[:index], *statements, *body[index + count :]] or [ast.Pass()]
        return self._filled(kind, cost, line, new)

    def _filled(self, kind: Kind, cost: int, line: int, value: Any) -> Edit:
        return Edit(kind=kind, cost=cost, line=line, owner=self.parent, field=self.field, value=value)
