"""Cut the outputs out of a notebook's JSON before it is parsed: plots and tables make a notebook large.

Only brackets are counted, and nothing is built of what is cut, so that time and memory stay in proportion to
the length. What is cut is not checked: a notebook whose outputs are odd is read all the same.
"""

import json
import re
from collections.abc import Iterator

# A key stands between quotes that a string would have to escape, so that no text of a cell looks like one.
_KEY = re.compile(rb'"(?:outputs|attachments)"[ \t\r\n]*+:[ \t\r\n]*+(?=[\[{])')
# Up to the next bracket outside of strings. Possessive, so that no way back is kept in memory.
_BRACKET = re.compile(rb'(?:[^"\[\]{}]++|"[^"\\]*+(?:\\.[^"\\]*+)*+")*+([\[\]{}])', re.DOTALL)


def skip_outputs(notebook: bytes) -> bytes:
    """The JSON of a notebook, with null for the outputs of its cells and the pictures attached to its texts.

    Raises:
        ValueError: an output does not end, or the bytes are no text.
    """
    data = _as_utf8(notebook)
    return b"null".join(data[start:end] for start, end in _kept(data))


def _as_utf8(notebook: bytes) -> bytes:
    encoding = json.detect_encoding(notebook)
    if encoding.startswith("utf-8"):
        return notebook
    return notebook.decode(encoding, "surrogatepass").encode("utf-8", "surrogatepass")


def _kept(data: bytes) -> Iterator[tuple[int, int]]:
    """Start and end of each part between the outputs."""
    start = 0
    while key := _KEY.search(data, start):
        yield start, key.end()
        start = _end_of_value(data, key.end())
    yield start, len(data)


def _end_of_value(data: bytes, start: int) -> int:
    """The position after the list or object that begins at `start`.

    Raises:
        ValueError: it does not end.
    """
    depth, at = 0, start
    # Not finditer, which begins again at each byte of a string that does not end.
    while bracket := _BRACKET.match(data, at):
        depth += 1 if bracket[1] in b"[{" else -1
        at = bracket.end()
        if depth == 0:
            return at
    raise ValueError("a list or an object does not end")
