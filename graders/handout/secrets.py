"""What must not be handed out: any line of `solutions/` that is not public already."""

import io
import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

import graders
from graders import reference

SHORTEST = 12  # characters of a line that says something: `import torch` is in every file
_PUBLIC = ("assignments", "graders", "reports")  # what is shipped


def leaks(files: Mapping[str, bytes]) -> list[str]:
    """Where lines of solutions stand in files, zips in them included: "file: line", at most one for each file.

    Args:
        files: their bytes by name, as they would be given out.
    """
    secret = secret_lines()
    found = []
    for name, text in _texts(files):
        if "solutions" in PurePosixPath(name).parts:
            found.append(name)
            continue
        line = next((line for line in map(plain_line, text.split("\n")) if line in secret), None)
        if line is not None:
            found.append(f"{name}: {line}")
    return found


@cache
def secret_lines() -> frozenset[str]:
    """The lines of solutions, right answers and known mistakes that nothing says which is shipped."""
    root = Path(graders.__file__).parent.parent
    public = (path.read_text(encoding="utf-8") for name in _PUBLIC for path in (root / name).rglob("*.py"))
    return _lines(reference.texts().values()) - _lines(public)


def plain_line(line: str) -> str:
    """A line of code without what hides it: indentation, the sign of a comment, further spaces."""
    return " ".join(line.strip().lstrip("#").split())


def _lines(texts: Iterable[str]) -> frozenset[str]:
    found = {plain_line(line) for text in texts for line in text.split("\n")}
    return frozenset(line for line in found if len(line) >= SHORTEST)


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
