"""List the statements of one file in order, with those inside `if`, `for`, `with` and other blocks."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace

from graders.extraction.name_usage import FUNCTIONS, Names, bound_names, branches, names_of
from graders.extraction.qualified_names import place_in
from graders.results.result import Place

LOOPS = (ast.For, ast.AsyncFor, ast.While)
WITHS = (ast.With, ast.AsyncWith)
DEPTH_LIMIT = 100  # blocks inside blocks; each `elif` counts as one
DEFINITIONS = (*FUNCTIONS, ast.ClassDef)


@dataclass(frozen=True, eq=False)
class Page:
    """One cell, or a whole module: `text` is Python with the line numbers of `source`, the student's text."""

    file: str
    cell: int | None
    label: str
    text: str
    source: str

    def place(self, line: int) -> Place:
        """A line of it as a place, as the student wrote it."""
        return place_in(self.file, self.cell, line, self.text or self.source, self.source)


@dataclass(frozen=True)
class Step:
    """A block around a unit: the index of the compound statement's header, and the name of its branch."""

    header: int
    branch: str


@dataclass(frozen=True, eq=False)
class Unit:
    """A statement, or the header of a compound one. `within` are the blocks around it, outermost first."""

    index: int
    page: Page
    node: ast.stmt
    names: Names
    within: tuple[Step, ...]

    @property
    def root(self) -> int:
        """The index of the statement at module scope that this one is part of."""
        return self.within[0].header if self.within else self.index

    @property
    def place(self) -> tuple[int, int]:
        """Line and column, as `ast` counts them."""
        return self.node.lineno, self.node.col_offset


def flatten_statements(
    page: Page, statements: Sequence[ast.stmt], within: tuple[Step, ...] = (), at: int = 0
) -> list[Unit]:
    """The units of some statements, with indices from `at`.

    Raises:
        SyntaxError: a statement parses, but does not compile.
        RecursionError: a statement is nested too deeply.
    """
    if len(within) > DEPTH_LIMIT:
        raise RecursionError
    units: list[Unit] = []
    for node in statements:
        header = at + len(units)
        units.append(Unit(header, page, node, _names(node), within))
        for branch, block in branches(node):
            units += flatten_statements(page, block, (*within, Step(header, branch)), at + len(units))
    return units


def renumber(units: Sequence[Unit], by: int) -> list[Unit]:
    """Shift the indices of units by `by`."""
    return [
        replace(
            unit,
            index=unit.index + by,
            within=tuple(Step(step.header + by, step.branch) for step in unit.within),
        )
        for unit in units
    ]


def _names(node: ast.stmt) -> Names:
    try:
        return names_of(node)
    except SyntaxError as error:
        # symtable saw the statement alone, so its line number is not the student's.
        raise SyntaxError(error.msg, ("", node.lineno, 0, "")) from None


def is_star(node: ast.stmt) -> bool:
    """Whether a statement is `from module import *`."""
    return isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names)


def is_future(node: ast.stmt) -> bool:
    """Whether a statement is `from __future__ import ...`."""
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def is_main_guard(node: ast.stmt) -> bool:
    """Whether a statement is `if __name__ == "__main__":`."""
    if not isinstance(node, ast.If) or not isinstance(node.test, ast.Compare):
        return False
    names = [part.id for part in ast.walk(node.test) if isinstance(part, ast.Name)]
    texts = [part.value for part in ast.walk(node.test) if isinstance(part, ast.Constant)]
    return names == ["__name__"] and texts == ["__main__"] and isinstance(node.test.ops[0], ast.Eq)


def magic_call(node: ast.stmt) -> ast.Call | None:
    """The call in a statement that only calls IPython (`!pip`, `files = !ls`, `%matplotlib`); else None."""
    value = getattr(node, "value", None)
    if isinstance(value, ast.Call) and isinstance(node, ast.Expr | ast.Assign | ast.AnnAssign):
        inner: ast.expr = value
        while isinstance(inner, ast.Call | ast.Attribute):
            inner = inner.func if isinstance(inner, ast.Call) else inner.value
        if isinstance(inner, ast.Name) and inner.id == "get_ipython":
            return value
    return None


def always_binds(statements: Sequence[ast.stmt], name: str) -> bool:
    """Whether every path through these statements binds `name`."""
    return any(_binds(node, name) for node in statements)


def _binds(node: ast.stmt, name: str) -> bool:
    if isinstance(node, WITHS):
        return always_binds(node.body, name)
    if isinstance(node, ast.If):
        return always_binds(node.body, name) and always_binds(node.orelse, name)
    if isinstance(node, ast.Try):
        handled = all(always_binds(part.body, name) or _leaves(part.body) for part in node.handlers)
        return always_binds(node.finalbody, name) or (always_binds(node.body, name) and handled)
    return not branches(node) and name in bound_names(node)


def _leaves(statements: Sequence[ast.stmt]) -> bool:
    return bool(statements) and isinstance(statements[-1], ast.Raise)
