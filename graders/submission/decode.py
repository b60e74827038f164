"""From the bytes of one file to the code cells in it. Nothing is run, and nothing in the bytes is trusted."""

import codecs
import io
import json
import re
import tokenize
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Literal

from graders.language import tr, translatable
from graders.results.result import Remark

CHECKPOINTS = ("minigpt.safetensors", "minigpt.pt", "minigpt.pth")  # the first is the best
CELL_LIMIT = 2_000  # cells of a notebook; a whole course has fewer, and each costs some milliseconds

Kind = Literal["notebook", "module"]

# A surrogate on its own is in no valid text, and neither `ast` nor a terminal takes it.
_SURROGATE = re.compile("[\ud800-\udfff]")
# Text encodings in name only: decoding them costs a time that grows with the square of the length.
_NOT_FOR_SOURCE = frozenset({"idna", "punycode"})


class Unreadable(Exception):
    """What is wrong with what was handed in, and what to do about it: a sentence for the student."""


@dataclass(frozen=True)
class Cell:
    """Code as the student wrote it. `number` counts all cells of a notebook from 1; None in a module."""

    number: int | None
    source: str


@dataclass(frozen=True)
class File:
    """A notebook or a module. Of a notebook only the code cells are kept."""

    name: str
    kind: Kind
    cells: tuple[Cell, ...]
    data: bytes


def kind_of(name: str) -> Kind | None:
    """Whether a name is a notebook's or a module's; None for every other file."""
    kinds: dict[str, Kind] = {".ipynb": "notebook", ".py": "module"}
    return kinds.get(PurePosixPath(name).suffix.lower())


def is_checkpoint(name: str) -> bool:
    """Whether a name is that of a trained model: minigpt.safetensors, minigpt.pt or minigpt.pth."""
    return PurePosixPath(name).name.lower() in CHECKPOINTS


def decode(name: str, data: bytes) -> tuple[File, tuple[Remark, ...]]:
    """The code cells in `data`, with a remark for each cell that could not be read.

    Raises:
        Unreadable: the whole file is broken.
    """
    if not data.strip() and PurePosixPath(name).name != "__init__.py":
        raise Unreadable(tr("{name} is empty: save it again and hand in the saved file.", name=name))
    if kind_of(name) == "module":
        return File(name, "module", (Cell(None, _text(_module_text(name, data))),), data), ()
    cells, remarks = _notebook_cells(name, _notebook(name, data))
    return File(name, "notebook", cells, data), remarks


def _text(source: str) -> str:
    return _SURROGATE.sub("\ufffd", source).replace("\r\n", "\n").replace("\r", "\n")


def _module_text(name: str, data: bytes) -> str:
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        if codecs.lookup(encoding).name in _NOT_FOR_SOURCE:
            raise LookupError(encoding)
        return data.decode(encoding)
    except UnicodeError:
        raise Unreadable(
            tr("{name} is not UTF-8 text: save it with the encoding UTF-8.", name=name)
        ) from None
    except (SyntaxError, LookupError, ValueError) as error:
        message = translatable("{name} cannot be read: its text is broken. Save it with the encoding UTF-8.")
        if "unknown" in str(error):
            message = translatable(
                "{name} cannot be read: it names an encoding that does not exist. "
                "Save it with the encoding UTF-8."
            )
        raise Unreadable(tr(message, name=name)) from None


def _notebook(name: str, data: bytes) -> list[Any]:
    """All cells of a notebook, of whatever format, as they stand there."""
    try:
        content: Any = json.loads(data)
    except (ValueError, RecursionError):
        raise _again(tr("{name} is not a notebook: its content is not JSON.", name=name)) from None
    if not isinstance(content, dict):
        raise _again(tr("{name} is not a notebook: it holds JSON of another kind.", name=name))
    if type(content.get("nbformat")) is not int:
        raise _again(tr("{name} is not a notebook: it does not say its format.", name=name))
    cells = content.get("cells") if content["nbformat"] >= 4 else _old_cells(name, content)
    if not isinstance(cells, list):
        raise _again(tr("{name} is a damaged notebook: it has no list of cells.", name=name))
    if len(cells) > CELL_LIMIT:
        message = tr(
            "{name} has more than {most} cells: hand in only those with your answers.",
            name=name,
            most=CELL_LIMIT,
        )
        raise Unreadable(message)
    return cells


def _again(message: str) -> Unreadable:
    """What is wrong with a notebook that Jupyter may be able to mend."""
    again = tr("Open it in Jupyter, save it and hand in the saved file.")
    return Unreadable(f"{message} {again}")


def _old_cells(name: str, content: dict[str, Any]) -> list[Any]:
    # Not by nbformat, whose conversion builds all outputs anew: a text of 50 bytes becomes gigabytes there.
    version = content["nbformat"]
    sheets = content.get("worksheets") if version in (2, 3) else [content] if version == 1 else None
    rows = [sheet.get("cells") if isinstance(sheet, dict) else None for sheet in _listed(sheets)]
    if not rows or not all(isinstance(row, list) for row in rows):
        message = tr(
            "{name} is a notebook of an old format ({version}) that cannot be read.",
            name=name,
            version=str(version)[:9],
        )
        raise _again(message)
    return [cell for row in rows for cell in _listed(row)]


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _notebook_cells(name: str, raw_cells: list[Any]) -> tuple[tuple[Cell, ...], tuple[Remark, ...]]:
    # Not through nbformat.read: its validation refuses or warns about notebooks that Jupyter opens well.
    cells: list[Cell] = []
    remarks: list[Remark] = []
    for number, cell in enumerate(raw_cells, start=1):
        kind = cell.get("cell_type") if isinstance(cell, dict) else None
        source = _source(cell) if isinstance(cell, dict) else None
        if kind == "code" and source is not None:
            cells.append(Cell(number, _text(source)))
        elif kind not in ("markdown", "raw", "heading", "html", "text"):
            message = tr(
                "Cell {number} of {name} is damaged and was left out: its text cannot be read.",
                number=number,
                name=name,
            )
            remarks.append(Remark(message, file=name, cell=number))
    return tuple(cells), tuple(remarks)


def _source(cell: dict[str, Any]) -> str | None:
    # "input" is what formats 2 and 3 call it, "code" format 1.
    keys = [key for key in ("source", "input", "code") if key in cell]
    return _joined(cell[keys[0]]) if keys else None


def _joined(source: object) -> str | None:
    if isinstance(source, list) and all(isinstance(part, str) for part in source):
        return "".join(source)
    return source if isinstance(source, str) else None
