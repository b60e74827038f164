"""The functions and methods of a source, each of which is edited by itself, and the source after an edit."""

import ast
import copy
import textwrap
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from graders.extraction.extract import Module, Piece, Source

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
LONGEST = 300_000  # characters of a piece: longer ones are not edited


@dataclass(frozen=True)
class Unit:
    """A function at the top level of a module, or a method of a class there.

    Attributes:
        module: the name of its module.
        owner: the class around a method, and None for a function.
        node: the function.
        piece: the piece with its text.
    """

    module: str
    owner: ast.ClassDef | None
    node: ast.FunctionDef | ast.AsyncFunctionDef
    piece: Piece

    @property
    def within(self) -> str:
        """Its qualified name."""
        return f"{self.owner.name}.{self.node.name}" if self.owner else self.node.name

    @property
    def constructs(self) -> bool:
        """Whether its effect is on modules that are constructed, not on those that there are."""
        return self.node.name == "__init__"

    def text(self) -> str:
        """The function as it is now, without decorators and annotations, which its place does not need."""
        return ast.unparse(_bare(self.node))


def write_units(units: Sequence[Unit], source: Source) -> Source:
    """The source with functions as they are now, each in the place of its text."""
    modules = [
        Module(m.name, tuple(_with_units(piece, units) for piece in m.pieces), m.redirects)
        for m in source.modules
    ]
    return replace(source, modules=tuple(modules))


def _with_units(piece: Piece, units: Sequence[Unit]) -> Piece:
    nodes = [unit.node for unit in units if unit.piece is piece]
    for node in sorted(nodes, key=lambda node: node.lineno, reverse=True):  # those above keep their lines
        piece = _written(piece, node)
    return piece


def find_units(source: Source) -> list[Unit]:
    """The functions and methods that the source runs: those of its symbol first, then those beside it."""
    units = [
        unit
        for module in reversed(source.modules)
        for piece in module.pieces
        for unit in _units_of(module.name, piece)
    ]
    return sorted(units, key=lambda unit: unit.within.partition(".")[0] != source.symbol)


def _units_of(module: str, piece: Piece) -> Iterator[Unit]:
    if len(piece.code) > LONGEST:
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(piece.code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    keep = set(piece.keep)
    for statement in _top_level(tree.body):
        if (statement.lineno, statement.col_offset) not in keep:
            continue
        if isinstance(statement, FUNCTIONS):
            yield Unit(module, None, statement, piece)
        elif isinstance(statement, ast.ClassDef):
            methods = (each for each in statement.body if isinstance(each, FUNCTIONS))
            yield from (Unit(module, statement, method, piece) for method in methods)


def _top_level(statements: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in statements:
        yield statement
        if isinstance(statement, ast.If | ast.Try | ast.With):
            yield from _top_level(statement.body)


def _bare(node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
    arguments = node.args
    every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    bare = copy.copy(node)
    bare.decorator_list, bare.returns = [], None
    if any(each.annotation for each in every):
        bare.args = ast.arguments(
            posonlyargs=[ast.arg(each.arg) for each in arguments.posonlyargs],
            args=[ast.arg(each.arg) for each in arguments.args],
            vararg=arguments.vararg,
            kwonlyargs=[ast.arg(each.arg) for each in arguments.kwonlyargs],
            kw_defaults=arguments.kw_defaults,
            kwarg=arguments.kwarg,
            defaults=arguments.defaults,
        )
    return bare


def _written(piece: Piece, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Piece:
    """The piece with a function's new text; what comes after it moves by the lines that it takes more."""
    lines = piece.code.split("\n")
    last = node.end_lineno or node.lineno
    decorators, node.decorator_list = node.decorator_list, []
    try:
        text = ast.unparse(node)
    finally:
        node.decorator_list = decorators
    new = textwrap.indent(text, " " * node.col_offset).split("\n")
    new += [""] * (last - node.lineno + 1 - len(new))
    more = len(new) - (last - node.lineno + 1)
    keep = tuple((line + more if line > last else line, column) for line, column in piece.keep)
    code = "\n".join([*lines[: node.lineno - 1], *new, *lines[last:]])
    return replace(piece, code=code, keep=keep)
