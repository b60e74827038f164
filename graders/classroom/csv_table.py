"""Read a CSV file with the position of each cell, so that cells can be filled in and all other bytes stay.

The csv module forgets how a cell was quoted, and a platform should get its file back as it was downloaded.
"""

import re
import stat
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from graders.language import tr, translatable

LIMIT = 50_000_000  # bytes
SEEN = 50  # rows that say which mark is between cells

# What Excel understands above a table, and writes there: the mark between cells.
_SAYS_DELIMITER = re.compile(r'"?sep=(?P<mark>[,;\t|])"?[ ;,]*(?:\r\n|\r|\n)', re.IGNORECASE)
_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


class BadTable(Exception):
    """A file is not a table. The message tells the instructor why."""


@dataclass(frozen=True, slots=True)
class Cell:
    """The text of a cell, and the start and end of the cell in the text of the file."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Table:
    """The cells of a CSV text, row by row. Empty lines are not in `rows`; `text` keeps them."""

    rows: tuple[tuple[Cell, ...], ...]
    text: str
    delimiter: str
    encoding: str
    mark: bytes

    def texts(self) -> list[list[str]]:
        """The text of each cell, row by row."""
        return [[cell.text for cell in row] for row in self.rows]

    def fill(self, changes: Mapping[tuple[int, int], str]) -> bytes:
        """The bytes of the file with new texts in some cells, which are given by row and column from 0.

        Raises:
            BadTable: the encoding of the file lacks a character.
        """
        parts, here = [], 0
        for (row, column), new in sorted(changes.items()):
            cells = self.rows[row]
            missing = max(0, column + 1 - len(cells))
            start, end = (cells[-1].end,) * 2 if missing else (cells[column].start, cells[column].end)
            parts += [self.text[here:start], self.delimiter * missing, self._quote(new)]
            here = end
        whole = "".join([*parts, self.text[here:]])
        try:
            return self.mark + whole.encode(self.encoding)
        except UnicodeError:
            message = translatable("{encoding}, the encoding of the file, lacks characters of the new texts")
            raise BadTable(tr(message, encoding=self.encoding)) from None

    def _quote(self, text: str) -> str:
        plain = text == text.strip() and not set(text) & {self.delimiter, '"', "\r", "\n"}
        return text if plain else '"{}"'.format(text.replace('"', '""'))


def read(path: Path) -> Table:
    """Read a table, with any delimiter (comma, semicolon, tab) and any byte order mark.

    Raises:
        BadTable: the file cannot be opened, is not text, or is larger than `LIMIT`.
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):  # a pipe would wait for ever, and a device never ends
            raise BadTable(tr("{file} is not a plain file", file=path.name))
        data = path.read_bytes() if status.st_size <= LIMIT else None
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
    """Parse the bytes of a table.

    Raises:
        UnicodeError: the bytes are not text.
    """
    mark = next((mark for mark in _MARKS if data.startswith(mark)), b"")
    encodings = {b"\xff\xfe": ("utf-16-le",), b"\xfe\xff": ("utf-16-be",)}.get(mark, ("utf-8", "cp1252"))
    text, encoding = _decode(data[len(mark) :], encodings)  # Excel writes cp1252 in western Europe
    said = _SAYS_DELIMITER.match(text)
    start = said.end() if said else 0
    delimiter = said["mark"] if said else _find_delimiter(text)
    rows = [tuple(cells) for cells in _parse_rows(text, start, delimiter)]
    return Table(tuple(rows), text, delimiter, encoding, mark)


def _find_delimiter(text: str) -> str:
    """The mark that parts most rows into as many cells each: a title above the table has its own commas."""

    def cells_of_table(mark: str) -> int:
        counts = Counter(len(row) for row in islice(_parse_rows(text, 0, mark), SEEN))
        return max(((width - 1) * count for width, count in counts.items()), default=0)

    return max(",;\t", key=cells_of_table)


def _parse_rows(text: str, here: int, delimiter: str) -> Iterator[list[Cell]]:
    """The rows that are not empty."""
    while here < len(text):
        cells, here = _parse_row(text, here, delimiter)
        if any(cell.text.strip() for cell in cells):
            yield cells


def _decode(data: bytes, encodings: tuple[str, ...]) -> tuple[str, str]:
    for encoding in encodings[:-1]:
        try:
            return data.decode(encoding), encoding
        except UnicodeError:
            continue
    return data.decode(encodings[-1]), encodings[-1]


def _parse_row(text: str, here: int, delimiter: str) -> tuple[list[Cell], int]:
    """Parse the row that starts at `here`; also returns the start of the next row."""
    # A quoted cell may contain anything; a quote that is never closed is an ordinary character.
    form = re.compile(rf'"[^"]*(?:""[^"]*)*"[^{delimiter}\r\n]*|[^{delimiter}\r\n]*')
    cells = []
    while True:
        match = form.match(text, here)
        assert match is not None
        cells.append(Cell(_unquote(match[0]), match.start(), match.end()))
        here = match.end()
        if not text.startswith(delimiter, here):
            return cells, here + (2 if text.startswith("\r\n", here) else 1)
        here += 1


def _unquote(raw: str) -> str:
    if not raw.startswith('"') or len(raw) < 2 or '"' not in raw[1:]:
        return raw
    inner, _, rest = raw[1:].rpartition('"')
    return inner.replace('""', '"') + rest
