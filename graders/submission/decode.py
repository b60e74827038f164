"""Decode the bytes of one file to its code cells. Nothing is run, and nothing in the bytes is trusted."""

import json
import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Literal

from graders.language import tr
from graders.results.result import Remark
from graders.submission.markdown_cells import code_blocks, is_written_to_run, text_cells
from graders.submission.skip_outputs import skip_outputs
from graders.submission.source_text import NoText, decode_source

CHECKPOINTS = ("minigpt.safetensors", "minigpt.pt", "minigpt.pth")  # in order of preference
CODE_LIMIT = 20_000_000  # bytes of a notebook without its outputs, which are parsed at once
CELL_LIMIT = 2_000  # cells of a notebook; each costs milliseconds, and a whole course has fewer

HEAD = 2_000  # bytes that say whether JSON is a notebook

Kind = Literal["notebook", "module"]

# A lone surrogate is not valid text: `ast` and terminals refuse it.
_SURROGATE = re.compile("[\ud800-\udfff]")
# A notebook's JSON begins with one of its keys; what begins with `metadata` may be anything.
_BEGINS = re.compile(rb'\s*\{\s*"(?:cells"\s*:\s*\[|(?:nbformat|nbformat_minor|worksheets)"\s*:)')
_BEGINS_WITH_KERNEL = re.compile(
    rb'\s*\{\s*"metadata"\s*:.*"(?:kernelspec|language_info|nbformat)"\s*:', re.DOTALL
)
TEXTS = (".md", ".markdown", ".myst", ".rmd", ".qmd")  # Markdown with cells of code


class Unreadable(Exception):
    """The submission cannot be read. The message tells the student why, and what to do."""


@dataclass(frozen=True)
class Cell:
    """Code as the student wrote it. `number` counts all cells of the notebook from 1; None for a module."""

    number: int | None
    source: str


@dataclass(frozen=True)
class File:
    """A notebook or a module. Of a notebook its cells are kept, without outputs.

    Markdown is a module with a cell for each block of code, whose lines have their numbers in the file.
    `texts` are its cells of text, of all of which `Cell.source` is Markdown. `written` is its rank in time
    among the submission's files; None where that is not known.
    """

    name: str
    kind: Kind
    cells: tuple[Cell, ...]
    data: bytes
    texts: tuple[Cell, ...] = ()
    written: int | None = None


def kind_of(name: str) -> Kind | None:
    """The kind of file that a name stands for; None unless it is, or may be, a notebook or a module."""
    kinds: dict[str, Kind] = {".ipynb": "notebook", ".json": "notebook", ".py": "module"}
    kinds |= dict.fromkeys(TEXTS, "module")
    suffixes = [suffix.lower() for suffix in PurePosixPath(name).suffixes]
    # Browsers add an ending of their own to what they save.
    if len(suffixes) > 1 and suffixes[-1] in (".txt", ".json") and suffixes[-2] in (".ipynb", ".py"):
        suffixes.pop()
    return kinds.get(suffixes[-1]) if suffixes else None


def is_json(name: str) -> bool:
    """Whether a name is that of JSON alone, which may be a notebook: its first bytes say it."""
    suffixes = [suffix.lower() for suffix in PurePosixPath(name).suffixes]
    return suffixes[-1:] == [".json"] and suffixes[-2:-1] not in ([".ipynb"], [".py"])


def begins_as_notebook(head: bytes) -> bool:
    """Whether JSON is a notebook, by its first `HEAD` bytes."""
    head = head.removeprefix(b"\xef\xbb\xbf")
    return bool(_BEGINS.match(head) or _BEGINS_WITH_KERNEL.match(head))


def is_markdown(name: str) -> bool:
    """Whether a name is that of a text in Markdown, which may be a notebook."""
    return PurePosixPath(name).suffix.lower() in TEXTS


def is_checkpoint(name: str) -> bool:
    """Whether a name is a trained model's: minigpt.safetensors, minigpt.pt or minigpt.pth."""
    return PurePosixPath(name).name.lower() in CHECKPOINTS


def decode(name: str, data: bytes) -> tuple[File, tuple[Remark, ...]]:
    """Decode the code cells in `data`, with a remark for each cell that cannot be read.

    Raises:
        Unreadable: the whole file is broken.
    """
    if not data.strip() and PurePosixPath(name).name != "__init__.py":
        raise Unreadable(tr("{name} is empty: save it again and hand in the saved file.", name=name))
    if kind_of(name) == "notebook":
        content, about_encoding = _notebook(name, data)
        cells, texts, remarks = _notebook_cells(name, content)
        return File(name, "notebook", cells, data, texts), (*about_encoding, *remarks)
    text, about_encoding = _module_text(name, data)
    if is_markdown(name):
        blocks = tuple(Cell(None, block) for block in code_blocks(text))
        return File(name, "module", blocks, data, (Cell(None, text),)), about_encoding
    texts = tuple(Cell(None, block) for block in text_cells(text))
    return File(name, "module", (Cell(None, text),), data, texts), about_encoding


def decode_text(name: str, data: bytes) -> str | None:
    """The text of a file; None where it is none."""
    try:
        return _module_text(name, data)[0]
    except Unreadable:
        return None


def holds_cells(name: str, data: bytes, *, alone: bool) -> bool:
    """Whether a file of Markdown is a notebook: it says so or, where no other file has code, it has code."""
    try:
        text, _ = _module_text(name, data)
    except Unreadable:
        return False
    return is_written_to_run(text) or (alone and bool(code_blocks(text)))


def _text(source: str) -> str:
    return _SURROGATE.sub("\ufffd", source).replace("\r\n", "\n").replace("\r", "\n")


def _module_text(name: str, data: bytes) -> tuple[str, tuple[Remark, ...]]:
    try:
        text, about_encoding = decode_source(name, data)
    except NoText:
        raise Unreadable(
            tr("{name} cannot be read: it is no text. Save it with the encoding UTF-8.", name=name)
        ) from None
    return _text(text), (Remark(about_encoding, file=name),) if about_encoding else ()


def _notebook(name: str, data: bytes) -> tuple[list[Any], tuple[Remark, ...]]:
    """The list of cells in the JSON of a notebook, for every version of the format."""
    try:
        without_outputs = skip_outputs(data)
        if len(without_outputs) > CODE_LIMIT:
            raise Unreadable(_too_long(name))
        content, remarks = _json(name, without_outputs)
    except (ValueError, RecursionError):
        raise _with_advice(tr("{name} is not a notebook: its content is not JSON.", name=name)) from None
    if not isinstance(content, dict):
        raise _with_advice(tr("{name} is not a notebook: it holds JSON of another kind.", name=name))
    if type(content.get("nbformat")) is not int:
        raise _with_advice(tr("{name} is not a notebook: it does not say its format.", name=name))
    cells = content.get("cells") if content["nbformat"] >= 4 else _old_cells(name, content)
    if not isinstance(cells, list):
        raise _with_advice(tr("{name} is a damaged notebook: it has no list of cells.", name=name))
    if len(cells) > CELL_LIMIT:
        message = tr(
            "{name} has more than {most} cells: hand in only those with your answers.",
            name=name,
            most=CELL_LIMIT,
        )
        raise Unreadable(message)
    return cells, remarks


def _json(name: str, data: bytes) -> tuple[Any, tuple[Remark, ...]]:
    try:
        return json.loads(data), ()
    except UnicodeError:
        text, about_encoding = decode_source(name, data)
        return json.loads(text), (Remark(about_encoding, file=name),) if about_encoding else ()


def _too_long(name: str) -> str:
    return tr(
        "{name} is larger than {most} MB without its outputs and was not read: "
        "hand in only the cells with your answers.",
        name=name,
        most=CODE_LIMIT // 1_000_000,
    )


def _with_advice(message: str) -> Unreadable:
    """An error whose advice is to save the notebook again, since Jupyter may repair it."""
    advice = tr("Open it in Jupyter, save it and hand in the saved file.")
    return Unreadable(f"{message} {advice}")


def _old_cells(name: str, content: dict[str, Any]) -> list[Any]:
    # Not nbformat, whose conversion rebuilds all outputs: a text of 50 bytes can become gigabytes.
    version = content["nbformat"]
    sheets = content.get("worksheets") if version in (2, 3) else [content] if version == 1 else None
    rows = [sheet.get("cells") if isinstance(sheet, dict) else None for sheet in _as_list(sheets)]
    if not rows or not all(isinstance(row, list) for row in rows):
        message = tr(
            "{name} is a notebook of an old format ({version}) that cannot be read.",
            name=name,
            version=str(version)[:9],
        )
        raise _with_advice(message)
    return [cell for row in rows for cell in _as_list(row)]


def _as_list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _notebook_cells(
    name: str, raw_cells: list[Any]
) -> tuple[tuple[Cell, ...], tuple[Cell, ...], tuple[Remark, ...]]:
    """The cells of code and those of text, and a remark on each damaged one."""
    # Not nbformat.read: its validation refuses or warns about notebooks that Jupyter opens.
    cells: list[Cell] = []
    texts: list[Cell] = []
    remarks: list[Remark] = []
    for number, cell in enumerate(raw_cells, start=1):
        kind = cell.get("cell_type") if isinstance(cell, dict) else None
        source = _source(cell) if isinstance(cell, dict) else None
        if kind == "code" and source is not None:
            cells.append(Cell(number, _text(source)))
        elif kind in ("markdown", "raw") and source is not None:
            texts.append(Cell(number, _text(source)))
        elif kind not in ("markdown", "raw", "heading", "html", "text"):
            message = tr(
                "Cell {number} of {name} is damaged and was left out: its text cannot be read.",
                number=number,
                name=name,
            )
            remarks.append(Remark(message, file=name, cell=number))
    return tuple(cells), tuple(texts), tuple(remarks)


def _source(cell: dict[str, Any]) -> str | None:
    # The key is "source" since format 4, "input" in formats 2 and 3, "code" in format 1.
    keys = [key for key in ("source", "input", "code") if key in cell]
    return _join(cell[keys[0]]) if keys else None


def _join(source: object) -> str | None:
    if isinstance(source, list) and all(isinstance(part, str) for part in source):
        return "".join(source)
    return source if isinstance(source, str) else None
