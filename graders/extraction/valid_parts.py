"""Read a cell or a module one of whose statements is not Python: the others are kept, each on its line."""

import ast
import re
from dataclasses import dataclass

from graders.extraction.ipython_cells import LENGTH_LIMIT, Code, Problem, parse_cell, to_python

PART_LIMIT = 3_000  # statements at module scope that are tried one by one
JOINED = 30  # lines that look like the beginning of a statement and may lie in a text or between brackets
WORK = 4  # times the length of the text that is parsed to find where a broken statement ends

_START = re.compile(r"(?!(?:else|elif|except|finally|case)\b)[^\W\d]|@")
_DECORATED = re.compile(r"@|(?:async[ \t]+)?def\b|class\b")
# The marks of cells in modules: Jupytext's and Spyder's, those of exported notebooks and of old IPython.
_MARK = re.compile(r"#[ \t]*(?:%%|In ?\[|<codecell>)")


@dataclass(frozen=True)
class BrokenPart:
    """The lines of a text that are not Python, from 1, and why."""

    first: int
    last: int
    problem: Problem


def read_parts(text: str) -> tuple[Code, tuple[BrokenPart, ...]]:
    """A cell or module as Python, and its parts that are none. Lines keep their numbers.

    A text that is broken as a whole comes back as `to_python` reads it, without parts.
    """
    whole = to_python(text)
    if whole.problem is None or len(text) > LENGTH_LIMIT:
        return whole, ()
    lines = text.split("\n")
    starts, marks = _find_starts(lines)
    if len(starts) < 2 or len(starts) > PART_LIMIT:
        return whole, ()
    kept, broken, newer = [""] * len(lines), [], []
    at, left = 0, WORK * len(text)
    while at < len(starts):
        code, end, left = _read_part(lines, starts, marks, at, left)
        first = starts[at]
        if code.problem is None:
            part = code.text.split("\n") if code.text else []
            kept[first : first + len(part)] = part
            newer += [found._replace(line=found.line + first) for found in code.newer]
        else:
            problem = code.problem._replace(line=code.problem.line + first)
            broken.append(BrokenPart(first + 1, _last_line(lines, first, _end(lines, starts, end)), problem))
        at = end
    tree = parse_cell("\n".join(kept))
    if not isinstance(tree, ast.Module) or not tree.body:
        return whole, ()
    return Code("\n".join(kept), newer=tuple(newer), tree=tree), tuple(broken)


def _read_part(
    lines: list[str], starts: list[int], marks: set[int], at: int, left: int
) -> tuple[Code, int, int]:
    """The statement at a start, the index of the next start, and how much may still be parsed."""
    alone: Code | None = None
    for end in range(at + 1, min(at + JOINED, len(starts)) + 1):
        block = "\n".join(lines[starts[at] : _end(lines, starts, end)])
        left -= len(block)
        code = to_python(block)
        if code.problem is None:
            return code, end, left
        alone = alone or code
        if left < 0 or (end < len(starts) and starts[end] in marks):
            break
    assert alone is not None
    return alone, at + 1, left


def _end(lines: list[str], starts: list[int], at: int) -> int:
    return starts[at] if at < len(starts) else len(lines)


def _last_line(lines: list[str], first: int, end: int) -> int:
    while end > first + 1 and (not lines[end - 1].strip() or lines[end - 1].startswith("#")):
        end -= 1
    return end


def _find_starts(lines: list[str]) -> tuple[list[int], set[int]]:
    """The lines on which a statement at module scope may begin, and those of them that begin a cell."""
    starts, marks = [0], set()
    decorated, marked = False, False
    for number, line in enumerate(lines):
        if _MARK.match(line):
            marked = True
        if not _START.match(line):
            continue
        if number and not (decorated and _DECORATED.match(line)):
            starts.append(number)
            if marked:
                marks.add(number)
        marked, decorated = False, line.startswith("@")
    return starts, marks
