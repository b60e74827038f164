"""A notebook's cells made anew from what is shown of them: nothing unknown and nothing too long is left."""

import binascii
import json
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graders.language import tr

SOURCE_LIMIT = 50_000  # characters of a cell
OUTPUT_LIMIT = 20_000  # characters of an output that is text
IMAGE_LIMIT = 2_000_000  # characters of an image in base64
OUTPUTS = 20  # per cell

_IMAGES = ("image/png", "image/jpeg")
_PARSED = ("text/html", "text/markdown")
_TEXTS = (*_PARSED, "text/latex", "text/plain")


@dataclass(frozen=True)
class Cell:
    """A cell in the notebook format, without metadata; `dropped` outputs of it were left out."""

    node: dict[str, Any]
    dropped: int

    @property
    def kind(self) -> str:
        """`code`, `markdown` or `raw`."""
        return str(self.node["cell_type"])

    @property
    def source(self) -> str:
        """Its text."""
        return str(self.node["source"])

    @property
    def parsed(self) -> list[int]:
        """The lengths of the texts in it that a Markdown or HTML parser must read."""
        data = [output.get("data", {}) for output in self.node.get("outputs", ())]
        lengths = [len(values[kind]) for values in data for kind in _PARSED if kind in values]
        return lengths if self.kind == "code" else [len(self.source)]


def read(data: bytes, limit: int) -> tuple[list[Cell], int]:
    """The first cells of an `.ipynb` file, and how many more there are.

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
    made = [_cell(cell if isinstance(cell, dict) else {}) for cell in cells[:limit]]
    return made, len(cells) - len(made)


def _cell(cell: Mapping[str, Any]) -> Cell:
    kind = cell.get("cell_type") if cell.get("cell_type") in ("code", "markdown", "raw") else "raw"
    source, cut = _text(cell.get("source"), SOURCE_LIMIT)
    made: dict[str, Any] = {"cell_type": kind, "id": "cell", "metadata": {}, "source": source + cut}
    if kind != "code":
        return Cell(made, 0)
    given = cell.get("outputs")
    given = given if isinstance(given, list) else []
    outputs = [one for output in given[:OUTPUTS] if (one := _output(output)) is not None]
    return Cell(made | {"execution_count": None, "outputs": outputs}, len(given) - len(outputs))


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
    shown = {name: _shown(name, data.get(name)) for name in (*_IMAGES, *_TEXTS)}
    kept = {name: value for name, value in shown.items() if value is not None}
    return {"output_type": "display_data", "metadata": {}, "data": kept} if kept else None


def _stream(output: Mapping[str, Any]) -> dict[str, Any] | None:
    text, cut = _text(output.get("text"), OUTPUT_LIMIT)
    name = "stderr" if output.get("name") == "stderr" else "stdout"
    return None if cut else {"output_type": "stream", "name": name, "text": text}


def _error(output: Mapping[str, Any]) -> dict[str, Any] | None:
    text, cut = _text(output.get("traceback"), OUTPUT_LIMIT, between="\n")
    return None if cut else {"output_type": "error", "ename": "", "evalue": "", "traceback": [text]}


def _shown(kind: str, value: object) -> str | None:
    text, cut = _text(value, IMAGE_LIMIT if kind in _IMAGES else OUTPUT_LIMIT)
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
    """A multi-line string of a notebook, and a note where it was cut."""
    parts = value if isinstance(value, list) else [value]
    text = between.join(part for part in parts if isinstance(part, str))
    text = text.encode("utf-8", errors="replace").decode("utf-8")
    left = len(text) - limit
    return text[:limit], "\n\n" + tr("[... {n} more characters]", n=left) if left > 0 else ""
