"""A CSV file whose cells know where they stand: some can be filled in, and all else stays, byte for byte.

The csv module forgets how a cell was quoted, and a platform's file should come back as it was downloaded.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from graders.language import tr, translatable

LIMIT = 50_000_000  # bytes

_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


class BadTable(Exception):
    """Why a file is no table: a sentence for the instructor."""


@dataclass(frozen=True, slots=True)
class Cell:
    """The text of a cell, and the start and end of the cell in the text of the file."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Table:
    """The cells of a CSV text, row by row; lines without any are left out of `rows` and kept in `text`."""

    rows: tuple[tuple[Cell, ...], ...]
    text: str
    delimiter: str
    encoding: str
    mark: bytes

    def texts(self) -> list[list[str]]:
        """The cells' texts."""
        return [[cell.text for cell in row] for row in self.rows]

    def filled(self, changes: Mapping[tuple[int, int], str]) -> bytes:
        """The whole file with other texts in some cells, by row and column from 0.

        Raises:
            BadTable: the file's encoding has no such character.
        """
        parts, here = [], 0
        for (row, column), new in sorted(changes.items()):
            cells = self.rows[row]
            missing = max(0, column + 1 - len(cells))
            start, end = (cells[-1].end,) * 2 if missing else (cells[column].start, cells[column].end)
            parts += [self.text[here:start], self.delimiter * missing, self._quoted(new)]
            here = end
        whole = "".join([*parts, self.text[here:]])
        try:
            return self.mark + whole.encode(self.encoding)
        except UnicodeError:
            message = translatable("what is to be filled in has characters that {encoding} has not")
            raise BadTable(tr(message, encoding=self.encoding)) from None

    def _quoted(self, text: str) -> str:
        plain = text == text.strip() and not set(text) & {self.delimiter, '"', "\r", "\n"}
        return text if plain else '"{}"'.format(text.replace('"', '""'))


def read(path: Path) -> Table:
    """The table in a file, whatever its delimiter (comma, semicolon, tab) and its byte order mark.

    Raises:
        BadTable: it cannot be opened, is no text, or is larger than any such file.
    """
    try:
        data = path.read_bytes() if path.stat().st_size <= LIMIT else None
    except OSError as error:
        message = translatable("{file} cannot be opened ({reason})")
        raise BadTable(tr(message, file=path.name, reason=error.strerror)) from None
    if data is None:
        raise BadTable(tr("{file} is larger than {most} MB", file=path.name, most=LIMIT // 1_000_000))
    try:
        return parse(data)
    except UnicodeError:
        raise BadTable(tr("{file} is no text: save it as CSV, in UTF-8", file=path.name)) from None


def parse(data: bytes) -> Table:
    """The table in these bytes.

    Raises:
        UnicodeError: they are no text.
    """
    mark = next((mark for mark in _MARKS if data.startswith(mark)), b"")
    encodings = {b"\xff\xfe": ("utf-16-le",), b"\xfe\xff": ("utf-16-be",)}.get(mark, ("utf-8", "cp1252"))
    text, encoding = _decoded(data[len(mark) :], encodings)  # cp1252 is Excel's in western Europe
    delimiter = max(",;\t", key=lambda mark: len(_row(text, _first(text), mark)[0]))
    rows, here = [], 0
    while here < len(text):
        cells, here = _row(text, here, delimiter)
        if any(cell.text.strip() for cell in cells):
            rows.append(tuple(cells))
    return Table(tuple(rows), text, delimiter, encoding, mark)


def _decoded(data: bytes, encodings: tuple[str, ...]) -> tuple[str, str]:
    for encoding in encodings[:-1]:
        try:
            return data.decode(encoding), encoding
        except UnicodeError:
            continue
    return data.decode(encodings[-1]), encodings[-1]


def _first(text: str) -> int:
    return len(text) - len(text.lstrip("\r\n "))


def _row(text: str, here: int, delimiter: str) -> tuple[list[Cell], int]:
    """The cells of the row that begins at `here`, and where the next one begins."""
    # In quotes anything goes; a quote that never ends is a character like others.
    form = re.compile(rf'"[^"]*(?:""[^"]*)*"[^{delimiter}\r\n]*|[^{delimiter}\r\n]*')
    cells = []
    while True:
        match = form.match(text, here)
        assert match is not None
        cells.append(Cell(_unquoted(match[0]), match.start(), match.end()))
        here = match.end()
        if not text.startswith(delimiter, here):
            return cells, here + (2 if text.startswith("\r\n", here) else 1)
        here += 1


def _unquoted(raw: str) -> str:
    if not raw.startswith('"') or len(raw) < 2 or '"' not in raw[1:]:
        return raw
    inner, _, rest = raw[1:].rpartition('"')
    return inner.replace('""', '"') + rest
