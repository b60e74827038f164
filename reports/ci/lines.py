"""Where a line of a cell stands in the text of its notebook, so that a remark lands where a reader looks."""

import json
import re
from collections.abc import Iterator

_SPACE = re.compile(r"[ \t\n\r]*")
_LINE_END = re.compile(r"\r\n|\r|\n")
_value = json.JSONDecoder(strict=False).raw_decode


def line_of(data: bytes, cell: int, line: int) -> int | None:
    """The line of a notebook's JSON, from 1, on which a line of a cell begins.

    Args:
        data: the notebook's bytes.
        cell: which of its cells, counted from 1.
        line: which line of that cell, counted from 1.

    Returns:
        None where that cannot be found.
    """
    if min(cell, line) < 1:
        return None
    try:
        text = data.decode(json.detect_encoding(data))
        cells = dict(_members(text, _begin(text, 0)))["cells"]
        found = dict(_members(text, list(_elements(text, cells))[cell - 1]))
        source = next(found[name] for name in ("source", "input") if name in found)
        return text.count("\n", 0, _position(text, source, line)) + 1
    # A notebook of the oldest formats, or a text that is no notebook: both are read, and told, elsewhere.
    except (ValueError, TypeError, LookupError, StopIteration, RecursionError):
        return None


def _position(text: str, source: int, line: int) -> int:
    """Where in the text the string begins that holds the beginning of a line of the source."""
    if text[source] != "[":
        return source
    parts = [(at, _value(text, at)[0]) for at in _elements(text, source)]
    whole = "".join(part for _, part in parts)
    begins = [0, *(end.end() for end in _LINE_END.finditer(whole))][line - 1]
    for at, part in parts:
        if begins < len(part):
            return at
        begins -= len(part)
    return parts[-1][0]


def _members(text: str, at: int) -> Iterator[tuple[str, int]]:
    """Each key of the object that begins at `at`, and where its value begins."""
    at = _begin(text, at + 1)
    while text[at] != "}":
        key, end = _value(text, at)
        at = _begin(text, _begin(text, end) + 1)
        yield key, at
        at = _next(text, at)


def _elements(text: str, at: int) -> Iterator[int]:
    """Where each element of the list that begins at `at` begins."""
    at = _begin(text, at + 1)
    while text[at] != "]":
        yield at
        at = _next(text, at)


def _next(text: str, at: int) -> int:
    """Where what follows the value at `at` begins, its comma passed."""
    end = _begin(text, _value(text, at)[1])
    return _begin(text, end + 1) if text[end] == "," else end


def _begin(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at
