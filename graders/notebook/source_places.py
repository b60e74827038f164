"""Where in a notebook something stands: the files that IPython makes of its cells, and the person's own."""

import ast
import inspect
import linecache
from collections.abc import Callable
from pathlib import Path
from typing import Any

from graders.results.result import Definition, Place
from graders.safe_text import safe_text

Named = Callable[[str], tuple[str, str] | None]


class Places:
    """Tells places and definitions. `named` gives `("Cell", "In[3]")` for the file of a cell."""

    def __init__(self, named: Named = lambda _: None) -> None:
        self._named = named
        self._own: set[str] = set()

    def place(self, file: str, line: int) -> Place | None:
        """A line of a cell, or of a file that something checked is defined in; None for all others."""
        found = self._named(file)
        if found:
            return Place(found[1], None, line)
        return Place(Path(file).name, None, line) if file in self._own else None

    def raised(self, error: BaseException) -> Place | None:
        """Where it was raised: the innermost line that has a place."""
        found, trace = None, error.__traceback__
        while trace is not None:
            found = self.place(trace.tb_frame.f_code.co_filename, trace.tb_lineno) or found
            trace = trace.tb_next
        return found

    def definition(self, made: Any) -> tuple[ast.stmt, Definition] | None:
        """The statement that defines a function or class, and its text; None where it is not to be had."""
        at = _line_of(made)
        if at is None:
            return None
        file, line = at
        self._own.add(file)
        lines = [text.rstrip("\n") for text in linecache.getlines(file)]
        node = _around(lines, line)
        where = self.place(file, _start(node)) if node else None
        if node is None or where is None:
            return None
        code = "\n".join(lines[where.line - 1 : node.end_lineno])
        return node, Definition(where.file, None, where.line, safe_text(code))


def _line_of(made: Any) -> tuple[str, int] | None:
    """The file of a function or class, and a line of its definition."""
    if isinstance(made, type):
        # A class does not know its file where that is a cell; its methods know theirs.
        inside = f"{made.__qualname__}."
        methods = [getattr(value, "__wrapped__", value) for value in vars(made).values()]
        codes = [m.__code__ for m in methods if inspect.isfunction(m) and m.__qualname__.startswith(inside)]
    else:
        function = inspect.unwrap(made) if callable(made) else made
        codes = [function.__code__] if inspect.isfunction(function) else []
    return (codes[0].co_filename, codes[0].co_firstlineno) if codes else None


def _around(lines: list[str], line: int) -> ast.stmt | None:
    """The outermost definition that has this line."""
    try:
        body = ast.parse("\n".join(lines)).body
    except (SyntaxError, ValueError, RecursionError):
        return None
    return next((node for node in body if _start(node) <= line <= (node.end_lineno or 0)), None)


def _start(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])
