"""Say where a line of code is as people look for it: the function or class around it, and the line itself."""

import ast
import functools

from graders.extraction.ipython_cells import parse_bounded
from graders.extraction.name_usage import FUNCTIONS
from graders.results.result import Place
from graders.safe_text import safe_text

LINE_SHOWN = 120  # characters of a line
NAME_SHOWN = 100
_SCOPES = (*FUNCTIONS, ast.ClassDef)
Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def place_in(file: str, cell: int | None, line: int, code: str, written: str | None = None) -> Place:
    """A line as a place, with what is found there.

    Args:
        file: a name inside the submission.
        cell: the notebook's cell.
        line: from 1, in `code`.
        code: the text of the whole cell or module.
        written: the same as the student wrote it, if `code` is what was made of it.
    """
    tree = parse(code)
    names = [scope.name for scope in enclosing(tree, line)] if tree else []
    lines = (code if written is None else written).split("\n")
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    shown = safe_text(text[: 10 * LINE_SHOWN]).strip()
    cut = shown if len(shown) <= LINE_SHOWN else f"{shown[: LINE_SHOWN - 1]}…"
    return Place(file, cell, line, safe_text(".".join(names))[:NAME_SHOWN] or None, cut or None)


def enclosing(tree: ast.AST, line: int) -> tuple[Scope, ...]:
    """The functions and classes around a line, from the outermost on."""
    found: list[Scope] = []
    waiting = [tree]  # no recursion: code may be nested more deeply than Python can follow
    while waiting:
        for node in ast.iter_child_nodes(waiting.pop()):
            if _first_line(node) <= line <= (getattr(node, "end_lineno", None) or line):
                waiting.append(node)
                found += [node] if isinstance(node, _SCOPES) else []
    return tuple(sorted(found, key=lambda scope: scope.lineno))


def _first_line(node: ast.AST) -> int:
    """The first line of a node and of its decorators; 1 where it has none."""
    first: int = getattr(node, "lineno", 1)
    return min((d.lineno for d in getattr(node, "decorator_list", ())), default=first)


@functools.lru_cache(maxsize=256)
def parse(code: str) -> ast.Module | None:
    """The syntax tree of a text; None where it is not Python."""
    tree = parse_bounded(code)
    return tree if isinstance(tree, ast.Module) else None
