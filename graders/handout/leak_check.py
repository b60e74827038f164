"""What must not be handed out: any line of `solutions/` that is not public already."""

import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath
from typing import Any

from graders import locations
from graders.course import reference

Row = tuple[str, ...]

SHORTEST = 12  # characters of a line that says something: `import torch` is in every file
ROW, LEAST = 3, 50  # so many lines in a row are nobody's by chance, if they have so many characters
_SHIPPED = ("assignments", "graders", "reports")


@dataclass(frozen=True)
class Secrets:
    """What solutions, right answers and known mistakes say: lines that nothing shipped says, and rows.

    Shipped code has some lines of solutions by chance, each alone; rows of them stand only in what
    students get to complete.
    """

    lines: frozenset[str]
    rows: frozenset[Row]

    def found_in(self, text: str) -> str | None:
        """The first line or row of theirs in a text, None where there is none."""
        lines = _plain(text)
        alone = (line for line in lines if line in self.lines)
        rows = (" / ".join(row) for row in _rows(lines) if row in self.rows)
        return next(alone, None) or next(rows, None)


def leaks(files: Mapping[str, bytes]) -> list[str]:
    """Where solutions stand in files, and in zips among them: "file: line", the first line of each file.

    Args:
        files: their bytes by name, as they would be given out.
    """
    known = secrets()
    found = []
    for name, text in _texts(files):
        line = known.found_in(text)
        if "solutions" in PurePosixPath(name).parts:
            found.append(name)
        elif line is not None:
            found.append(f"{name}: {line}")
    return found


@cache
def secrets() -> Secrets:
    """Those of the solutions that are there."""
    shipped = {
        name: [p.read_text("utf-8") for p in (locations.ROOT / name).rglob("*.py")] for name in _SHIPPED
    }
    solutions = list(map(_plain, reference.texts().values()))
    public = {line for texts in shipped.values() for text in texts for line in _plain(text)}
    handed_out = {row for text in shipped["assignments"] for row in _rows(_plain(text))}
    lines = {line for text in solutions for line in text if len(line) >= SHORTEST}
    rows = {row for text in solutions for row in _rows(text)}
    return Secrets(frozenset(lines - public), frozenset(rows - handed_out))


def _plain(text: str) -> list[str]:
    """The lines of a text without what hides them: indentation, signs of comments and texts, more spaces."""
    lines = (" ".join(line.strip("# \t\r\"'").split()) for line in text.split("\n"))
    return [line for line in lines if line]


def _rows(lines: list[str]) -> Iterator[Row]:
    for row in zip(*(lines[start:] for start in range(ROW)), strict=False):
        if sum(map(len, row)) >= LEAST and not all(line.startswith(("import ", "from ")) for line in row):
            yield row


def _texts(files: Mapping[str, bytes]) -> Iterator[tuple[str, str]]:
    for name, data in files.items():
        if zipfile.is_zipfile(io.BytesIO(data)):
            with zipfile.ZipFile(io.BytesIO(data)) as packed:
                yield from _texts({f"{name}/{inside}": packed.read(inside) for inside in packed.namelist()})
        else:
            text = data.decode("utf-8", "replace")
            yield name, "\n".join(_strings(json.loads(text))) if name.endswith(".ipynb") else text


def _strings(value: Any) -> Iterator[str]:
    # A notebook's lines, as they are once JSON's quotes are off.
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)
