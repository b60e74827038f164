"""Places in the source of a notebook's objects: cells, which IPython gives file names, and modules."""

import ast
import inspect
import linecache
from collections.abc import Callable
from pathlib import Path
from typing import Any

from graders.extraction.qualified_names import parse, place_in
from graders.extraction.unfinished import find_unwritten
from graders.results.result import Definition, Place
from graders.safe_text import safe_text

CellName = Callable[[str], tuple[str, str] | None]


class Places:
    """Finds places and definitions. `cell_name` gives `("Cell", "In[3]")` for a cell's file, else None."""

    def __init__(self, cell_name: CellName = lambda _: None) -> None:
        self._cell_name = cell_name
        self._own_files: set[str] = set()

    def place(self, file: str, line: int) -> Place | None:
        """A line of a cell, or of a file that defines a checked object; None for all other files."""
        cell = self._cell_name(file)
        if cell is None and file not in self._own_files:
            return None
        code = "".join(_lines_of(file))
        return place_in(cell[1] if cell else Path(file).name, None, line, code)

    def place_of_error(self, error: BaseException) -> Place | None:
        """The innermost line of an error's traceback that has a place."""
        place, trace = None, error.__traceback__
        while trace is not None:
            place = self.place(trace.tb_frame.f_code.co_filename, trace.tb_lineno) or place
            trace = trace.tb_next
        return place

    def definition(self, value: Any) -> tuple[ast.stmt, Definition] | None:
        """The statement that defines a function or class, and its text; None where there is no source."""
        file_and_line = _line_of(value)
        if file_and_line is None:
            return None
        file, line = file_and_line
        self._own_files.add(file)
        lines = [text.rstrip("\n") for text in _lines_of(file)]
        node = _around(lines, line)
        place = self.place(file, _start(node)) if node else None
        if node is None or place is None:
            return None
        code = "\n".join(lines[place.line - 1 : node.end_lineno])
        return node, Definition(place.file, None, place.line, safe_text(code))

    def unwritten(self, value: Any, symbol: str, stub: str | None) -> tuple[str, Place | None] | None:
        """What a definition still lacks, so that it cannot answer: a sentence and its place."""
        file_and_line, definition = _line_of(value), self.definition(value)
        if file_and_line is None or definition is None or _is_changed(value, definition[0]):
            return None
        part = find_unwritten(definition[0], symbol, stub)
        return (part.says, self.place(file_and_line[0], part.line)) if part else None


def _lines_of(file: str) -> list[str]:
    """The lines of a file or cell; none where code has named a file that no system can have."""
    try:
        return linecache.getlines(file)
    except ValueError:
        return []


def _is_changed(value: Any, node: ast.stmt) -> bool:
    """Whether methods of a class were defined elsewhere: `Model.forward = forward`."""
    if not isinstance(value, type):
        return False
    codes = [method.__code__ for method in vars(value).values() if inspect.isfunction(method)]
    return not all(_start(node) <= code.co_firstlineno <= (node.end_lineno or 0) for code in codes)


def _line_of(value: Any) -> tuple[str, int] | None:
    """The file of a function or class, and a line of its definition."""
    if isinstance(value, type):
        # A class of a cell does not know its file; its methods know theirs.
        inside = f"{value.__qualname__}."
        methods = [getattr(method, "__wrapped__", method) for method in vars(value).values()]
        codes = [m.__code__ for m in methods if inspect.isfunction(m) and m.__qualname__.startswith(inside)]
    else:
        function = inspect.unwrap(value) if callable(value) else value
        codes = [function.__code__] if inspect.isfunction(function) else []
    return (codes[0].co_filename, codes[0].co_firstlineno) if codes else None


def _around(lines: list[str], line: int) -> ast.stmt | None:
    """The outermost statement that has this line."""
    tree = parse("\n".join(lines))
    body = tree.body if tree else []
    return next((node for node in body if _start(node) <= line <= (node.end_lineno or 0)), None)


def _start(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])
