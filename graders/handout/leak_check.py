"""Find what must not be handed out: any line of `solutions/` that is not public already."""

import ast
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

SHORTEST = 12  # shorter lines, such as `import torch`, are in every file
ROW, LEAST = 3, 50  # a row of lines this long, in lines and characters, is no coincidence
_SHIPPED = ("assignments", "graders", "reports")


@dataclass(frozen=True)
class Secrets:
    """The text of solutions, right answers and known mistakes: single lines, and rows of lines.

    `lines` holds the lines that no shipped file contains. Shipped code has some single lines in common with
    solutions by chance, so `rows` holds consecutive lines that are not in the files that students complete.
    `hints` are the lines of the docstrings of mistakes, which an answer key may hold.
    """

    lines: frozenset[str]
    rows: frozenset[Row]
    hints: frozenset[str] = frozenset()

    def first_in(self, name: str, text: str) -> str | None:
        """The first secret line or row in the text of a file, None where there is none."""
        lines = _plain_lines(text)
        known = self.lines - self.hints if ".key/" in name else self.lines
        alone = (line for line in lines if line in known)
        rows = (" / ".join(row) for row in _rows(lines) if row in self.rows)
        return next(alone, None) or next(rows, None)


def find_leaks(files: Mapping[str, bytes]) -> list[str]:
    """Where solutions stand in files, and in zips among them: "file: line", the first line of each file.

    Args:
        files: the bytes of the files to hand out, by name.
    """
    secrets = read_secrets()
    places = []
    for name, text in _texts(files):
        line = secrets.first_in(name, text)
        if "solutions" in PurePosixPath(name).parts:
            places.append(name)
        elif line is not None:
            places.append(f"{name}: {line}")
    return places


@cache
def read_secrets() -> Secrets:
    """The secrets of `solutions/`."""
    shipped = {
        name: [p.read_text("utf-8") for p in (locations.ROOT / name).rglob("*.py")] for name in _SHIPPED
    }
    solutions = list(map(_plain_lines, reference.texts().values()))
    public = {line for texts in shipped.values() for text in texts for line in _plain_lines(text)}
    handed_out = {row for text in shipped["assignments"] for row in _rows(_plain_lines(text))}
    lines = {line for text in solutions for line in text if len(line) >= SHORTEST}
    rows = {row for text in solutions for row in _rows(text)}
    hints = {line for text in reference.texts().values() for line in _hints(text)}
    return Secrets(frozenset(lines - public), frozenset(rows - handed_out), frozenset(hints))


def _hints(text: str) -> Iterator[str]:
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and "__" in node.name:
            yield from _plain_lines(ast.get_docstring(node) or "")


def _plain_lines(text: str) -> list[str]:
    """The lines of a text without indentation, signs of comments and strings, and repeated spaces."""
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
            yield name, "\n".join(_strings(json.loads(text))) if name.endswith((".ipynb", ".json")) else text


def _strings(value: Any) -> Iterator[str]:
    # The lines of a notebook without the quotes and escapes of JSON.
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)
