"""Find a line of a cell in the JSON text of its notebook, so that annotations appear at the right line."""

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
        None where the line cannot be found.
    """
    if min(cell, line) < 1:
        return None
    try:
        text = data.decode(json.detect_encoding(data))
        cells = dict(_members(text, _skip_space(text, 0)))["cells"]
        fields = dict(_members(text, list(_elements(text, cells))[cell - 1]))
        source = next(fields[name] for name in ("source", "input") if name in fields)
        return text.count("\n", 0, _position(text, source, line)) + 1
    # A notebook in an old format, or a text that is not a notebook: reading the submission reports those.
    except (ValueError, TypeError, LookupError, StopIteration, RecursionError):
        return None


def _position(text: str, source: int, line: int) -> int:
    """The position of the JSON string that contains the beginning of a line of the source."""
    if text[source] != "[":
        return source
    parts = [(at, _value(text, at)[0]) for at in _elements(text, source)]
    source_text = "".join(part for _, part in parts)
    offset = [0, *(end.end() for end in _LINE_END.finditer(source_text))][line - 1]
    for at, part in parts:
        if offset < len(part):
            return at
        offset -= len(part)
    return parts[-1][0]


def _members(text: str, at: int) -> Iterator[tuple[str, int]]:
    """Each key of the object at `at`, and the position of its value."""
    at = _skip_space(text, at + 1)
    while text[at] != "}":
        key, end = _value(text, at)
        at = _skip_space(text, _skip_space(text, end) + 1)
        yield key, at
        at = _next(text, at)


def _elements(text: str, at: int) -> Iterator[int]:
    """The position of each element of the list at `at`."""
    at = _skip_space(text, at + 1)
    while text[at] != "]":
        yield at
        at = _next(text, at)


def _next(text: str, at: int) -> int:
    """The position after the value at `at` and its comma."""
    end = _skip_space(text, _value(text, at)[1])
    return _skip_space(text, end + 1) if text[end] == "," else end


def _skip_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at
