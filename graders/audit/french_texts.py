"""Where the French stands in the files of an exercise and in course.toml: the places that the audit reads."""

import ast
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from graders.course.checks_file import MAKERS
from graders.language import Language

_MARKDOWN = re.compile(r"^# %% \[markdown\](.*)\n((?:(?!# %%).*\n?)*)", re.MULTILINE)
_CELL_LANGUAGE = re.compile(r'\blang="(\w+)"')
_BEGINS = re.compile(r"^[ \t]*fr:", re.MULTILINE)
_QUOTES = re.compile(r"""[rRuU]?(\"{3}|'{3}|"|')""")
_STRING = r"""\b{key}[ \t]*=[ \t]*("(?:[^"\\\n]|\\.)*"|'[^'\n]*')"""


@dataclass(frozen=True)
class FrenchText:
    """A French text from `start` to `end` of a file; in a docstring, names may begin a line."""

    start: int
    end: int
    in_docstring: bool = False


def french_titles(course: str, languages: Collection[Language]) -> Iterator[FrenchText]:
    """The French titles in the text of course.toml."""
    if "fr" in languages:
        key = "title_fr" if "en" in languages else "title"
        for title in re.finditer(_STRING.format(key=key), course):
            yield FrenchText(title.start(1) + 1, title.end(1) - 1)


def french_cells(text: str, languages: Collection[Language]) -> Iterator[FrenchText]:
    """The French Markdown cells of what is handed out."""
    for cell in _MARKDOWN.finditer(text):
        said = _CELL_LANGUAGE.search(cell[1])
        if "fr" in languages and (said[1] == "fr" if said else "en" not in languages):
            yield FrenchText(cell.start(2), cell.end(2))


def french_docstrings(text: str, languages: Collection[Language]) -> Iterator[FrenchText]:
    """The French of an exercise's file: what stands below `fr:` in a literal.

    In a course that is in French alone, the docstrings of contracts, checks and mistakes are all French.

    Raises:
        SyntaxError: the file is no Python.
    """
    if "fr" not in languages:
        return
    tree = ast.parse(text)
    whole = [] if "en" in languages else list(_told(tree))
    inside = [part for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values]
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in inside:
            start, end = _between_quotes(text, node)
            begins = _BEGINS.search(text[start:end])
            if begins is not None or node in whole:
                yield FrenchText(start + (begins.end() if begins else 0), end, in_docstring=True)


def _told(tree: ast.Module) -> Iterator[ast.expr]:
    """The literals that students read: of checks, of known mistakes, or of a stub and its methods."""
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "says":
            yield node.value
        elif isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            is_stub = any(isinstance(part, ast.Raise) for part in ast.walk(node))
            is_mistake = "__" in node.name.strip("_")
            if is_stub or is_mistake or any(map(_is_maker, node.decorator_list)):
                first = node.body[0]
                assert isinstance(first, ast.Expr)
                yield first.value


def _is_maker(decorator: ast.expr) -> bool:
    return (
        isinstance(decorator, ast.Call)
        and isinstance(decorator.func, ast.Name)
        and decorator.func.id in MAKERS
    )


def _between_quotes(text: str, node: ast.Constant) -> tuple[int, int]:
    """Where the text of a literal begins and ends; columns of `ast` count bytes."""
    lines = text.split("\n")

    def offset(line: int, column: int) -> int:
        return sum(len(before) + 1 for before in lines[: line - 1]) + len(
            lines[line - 1].encode()[:column].decode()
        )

    start, end = offset(node.lineno, node.col_offset), offset(node.end_lineno or 1, node.end_col_offset or 0)
    quotes = _QUOTES.match(text, start)
    return (quotes.end(), end - len(quotes[1])) if quotes else (start, end)
