"""Find what must not be handed out: any line of `solutions/` that is not public already."""

import ast
import io
import json
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from graders import locations
from graders.course import reference
from graders.handout.public_files import public_files

Row = tuple[str, ...]

SHORTEST = 12  # shorter lines, such as `import torch`, are in every file
ROW, LEAST = 3, 50  # a row of lines this long, in lines and characters, is no coincidence
_RUNS = re.compile(rb"[\t -~]{%d,}" % SHORTEST)  # what can be read in a file of numbers
_QUOTED = re.compile(rb'"(?:[^"\\]|\\.)*"')  # a string in JSON
_PLAIN = re.compile(r"[\w.]+[,:]?|[\w\s]+")  # a name or words alone, such as an argument: no line of code


@dataclass(frozen=True)
class Member:
    """A file, or what a zip says of its files: its text, or the strings in it that are no lines."""

    name: str
    text: str
    strings: Sequence[str] = ()


@dataclass(frozen=True)
class Secrets:
    """The text of solutions, right answers and known mistakes: single lines, and rows of lines.

    `lines` holds the lines that no shipped file contains. Shipped code has some single lines in common with
    solutions by chance, so `rows` holds consecutive lines that are not in the files that students complete.
    `hints` are the lines of the docstrings of mistakes, which an answer key may hold. `code` holds the lines
    of code by their first characters; `public` are the lines of shipped files.
    """

    lines: frozenset[str]
    rows: frozenset[Row]
    hints: frozenset[str]
    code: Mapping[str, Sequence[str]]
    public: frozenset[str]

    def first_in(self, member: Member) -> str | None:
        """The first secret line or row in a file, None where there is none."""
        lines = _plain_lines(member.text)
        known = self.lines - self.hints if ".key/" in member.name else self.lines
        alone = (line for line in lines if line in known)
        rows = (" / ".join(row) for row in _rows(lines) if row in self.rows)
        return next(alone, None) or next(rows, None) or next(self._inside(member), None)

    def _inside(self, member: Member) -> Iterator[str]:
        """The secret lines of code that stand within a line, a string or a run of readable bytes."""
        texts = {*map(_plain, member.strings), *_plain_lines(member.text)} - self.public
        for text in texts:
            for start in range(len(text) - SHORTEST + 1):
                for line in self.code.get(text[start : start + SHORTEST], ()):
                    if text.startswith(line, start) and not self._is_known(line, member.name):
                        yield line

    def _is_known(self, line: str, name: str) -> bool:
        known = [*self.public, " ".join(self.hints)] if ".key/" in name else self.public
        return any(line in other for other in known)


def find_leaks(files: Mapping[str, bytes]) -> list[str]:
    """Where solutions stand in files, and in zips among them: "file: line", the first line of each file.

    All that a file holds is searched: lines, cells and strings, names and numbers of an answer key, and what
    zips say of their files.

    Args:
        files: the bytes of the files to hand out, by name.
    """
    secrets = read_secrets()
    places = []
    for member in _members(files):
        line = secrets.first_in(member)
        if "solutions" in PurePosixPath(member.name).parts:
            places.append(member.name)
        elif line is not None:
            places.append(f"{member.name}: {line}")
    return places


@locations.once_per_course
def read_secrets() -> Secrets:
    """The secrets of `solutions/`."""
    shipped = public_files()
    texts = reference.texts().values()
    solutions = list(map(_plain_lines, texts))
    public = frozenset(line for text in shipped.values() for line in _plain_lines(text))
    stubs = (text for path, text in shipped.items() if "assignments" in path.parts[:-1])
    handed_out = {row for text in stubs for row in _rows(_plain_lines(text))}
    lines = frozenset(line for text in solutions for line in text if len(line) >= SHORTEST) - public
    rows = frozenset(row for text in solutions for row in _rows(text)) - handed_out
    hints = frozenset(line for text in texts for line in _hints(text))
    code: dict[str, list[str]] = {}
    for line in sorted(lines - _prose(texts)):
        code.setdefault(line[:SHORTEST], []).append(line)
    return Secrets(lines, rows, hints, code, public)


def _prose(texts: Iterable[str]) -> set[str]:
    """The lines of docstrings, and those that are names or words alone."""
    lines = set()
    for text in texts:
        lines |= {line for line in _plain_lines(text) if _PLAIN.fullmatch(line)}
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module):
                lines.update(_plain_lines(ast.get_docstring(node) or ""))
    return lines


def _hints(text: str) -> Iterator[str]:
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and "__" in node.name:
            yield from _plain_lines(ast.get_docstring(node) or "")


def _plain_lines(text: str) -> list[str]:
    """The lines of a text without indentation, signs of comments and strings, and repeated spaces."""
    return [line for line in map(_plain, text.split("\n")) if line]


def _plain(line: str) -> str:
    return " ".join(line.strip("# \t\r\"'").split())


def _rows(lines: list[str]) -> Iterator[Row]:
    for row in zip(*(lines[start:] for start in range(ROW)), strict=False):
        if sum(map(len, row)) >= LEAST and not all(line.startswith(("import ", "from ")) for line in row):
            yield row


def _members(files: Mapping[str, bytes]) -> Iterator[Member]:
    for name, data in files.items():
        if zipfile.is_zipfile(io.BytesIO(data)):
            with zipfile.ZipFile(io.BytesIO(data)) as packed:
                said = [packed.comment, *(b for i in packed.infolist() for b in (i.comment, i.extra))]
                yield Member(name, "", [*packed.namelist(), *(text.decode("latin-1") for text in said)])
                yield from _members({f"{name}/{inside}": packed.read(inside) for inside in packed.namelist()})
        elif name.endswith(".ipynb"):
            yield Member(name, "\n".join(_strings(json.loads(data))))
        elif name.endswith(".json"):
            yield Member(
                name, "\n".join(json.loads(quoted) for quoted in dict.fromkeys(_QUOTED.findall(data)))
            )
        elif b"\0" in data:
            yield Member(name, "", [run.decode() for run in _RUNS.findall(data)])
        else:
            yield Member(name, data.decode("utf-8", "replace"))


def _strings(value: Any) -> Iterator[str]:
    # The lines of a notebook without the quotes and escapes of JSON.
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        for part in value.values():
            yield from _strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from _strings(part)
