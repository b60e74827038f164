"""Rebuild a notebook's cells from the parts that are shown; unknown and overlong parts are left out."""

import binascii
import json
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graders.language import tr

MAX_SOURCE = 50_000  # characters of a cell
MAX_OUTPUT = 20_000  # characters of an output that is text
MAX_IMAGE = 2_000_000  # characters of an image in base64
MAX_OUTPUTS = 20  # per cell

_IMAGES = ("image/png", "image/jpeg")
_PARSED = ("text/html", "text/markdown")
_TEXTS = (*_PARSED, "text/latex", "text/plain")


@dataclass(frozen=True)
class Cell:
    """A cell in the notebook format, without metadata; `dropped` counts the outputs that were left out."""

    node: dict[str, Any]
    dropped: int

    @property
    def kind(self) -> str:
        """`code`, `markdown` or `raw`."""
        return str(self.node["cell_type"])

    @property
    def source(self) -> str:
        """The text of the cell."""
        return str(self.node["source"])

    @property
    def parsed(self) -> list[int]:
        """The lengths of its texts that a Markdown or HTML parser must read."""
        data = [output.get("data", {}) for output in self.node.get("outputs", ())]
        lengths = [len(values[kind]) for values in data for kind in _PARSED if kind in values]
        return lengths if self.kind == "code" else [len(self.source)]


def read_cells(data: bytes, limit: int) -> tuple[list[Cell], int]:
    """The first cells of an `.ipynb` file, and the number of further cells.

    Raises:
        ValueError: it is not a notebook.
    """
    try:
        notebook = json.loads(data)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        raise ValueError("a notebook has cells")
    rebuilt = [_cell(cell if isinstance(cell, dict) else {}) for cell in cells[:limit]]
    return rebuilt, len(cells) - len(rebuilt)


def _cell(cell: Mapping[str, Any]) -> Cell:
    kind = cell.get("cell_type") if cell.get("cell_type") in ("code", "markdown", "raw") else "raw"
    source, cut = _text(cell.get("source"), MAX_SOURCE)
    node: dict[str, Any] = {"cell_type": kind, "id": "cell", "metadata": {}, "source": source + cut}
    if kind != "code":
        return Cell(node, 0)
    all_outputs = cell.get("outputs")
    all_outputs = all_outputs if isinstance(all_outputs, list) else []
    bounded = (_output(output) for output in all_outputs[:MAX_OUTPUTS])
    outputs = [output for output in bounded if output is not None]
    return Cell(node | {"execution_count": None, "outputs": outputs}, len(all_outputs) - len(outputs))


def _output(output: object) -> dict[str, Any] | None:
    """An output within bounds; None where it is too long or of an unknown kind."""
    if not isinstance(output, dict):
        return None
    kind = output.get("output_type")
    if kind == "stream":
        return _stream(output)
    if kind == "error":
        return _error(output)
    data = output.get("data")
    if kind not in ("display_data", "execute_result") or not isinstance(data, dict):
        return None
    bounded = {name: _bounded_data(name, data.get(name)) for name in (*_IMAGES, *_TEXTS)}
    kept = {name: value for name, value in bounded.items() if value is not None}
    return {"output_type": "display_data", "metadata": {}, "data": kept} if kept else None


def _stream(output: Mapping[str, Any]) -> dict[str, Any] | None:
    text, cut = _text(output.get("text"), MAX_OUTPUT)
    name = "stderr" if output.get("name") == "stderr" else "stdout"
    return None if cut else {"output_type": "stream", "name": name, "text": text}


def _error(output: Mapping[str, Any]) -> dict[str, Any] | None:
    text, cut = _text(output.get("traceback"), MAX_OUTPUT, between="\n")
    return None if cut else {"output_type": "error", "ename": "", "evalue": "", "traceback": [text]}


def _bounded_data(kind: str, value: object) -> str | None:
    text, cut = _text(value, MAX_IMAGE if kind in _IMAGES else MAX_OUTPUT)
    if cut or not text:
        return None
    return _image(text) if kind in _IMAGES else text


def _image(text: str) -> str | None:
    text = "".join(text.split())
    try:
        b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return text


def _text(value: object, limit: int, between: str = "") -> tuple[str, str]:
    """A multi-line string of a notebook, cut at `limit`, and a note on the cut or an empty text."""
    parts = value if isinstance(value, list) else [value]
    text = between.join(part for part in parts if isinstance(part, str))
    text = text.encode("utf-8", errors="replace").decode("utf-8")
    cut_off = len(text) - limit
    return text[:limit], "\n\n" + tr("[... {n} more characters]", n=cut_off) if cut_off > 0 else ""
