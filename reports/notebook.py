"""A student's notebook as a page to look at: nothing in it runs, and nothing is fetched."""

import binascii
import json
import logging
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from reports.templating import fill

if TYPE_CHECKING:
    from nbconvert.exporters import HTMLExporter

SOURCE_LIMIT = 50_000  # characters of a cell
OUTPUT_LIMIT = 20_000  # characters of an output that is text
IMAGE_LIMIT = 2_000_000  # characters of an image in base64
OUTPUTS = 20  # per cell
CELLS = 1_000

_IMAGES = ("image/png", "image/jpeg")
_TEXTS = ("text/html", "text/markdown", "text/latex", "text/plain")


@dataclass(frozen=True)
class Cell:
    """A cell as the page shows it: `number` counts all cells from 1."""

    number: int
    kind: str
    html: Markup
    dropped: int


def render(data: bytes, title: str) -> str:
    """The page of a notebook, with an anchor `cell-N` per cell.

    Args:
        data: the `.ipynb` file. Only sources and outputs are taken from it; metadata is not.
        title: of the page.

    Raises:
        ValueError: it is not a notebook.
    """
    cells = _cells(data)
    exporter = _exporter()
    shown = [_cell(exporter, cell, number) for number, cell in enumerate(cells[:CELLS], 1)]
    return fill("notebook.html.j2", title=title, cells=shown, left_out=len(cells) - len(shown))


def _cells(data: bytes) -> list[Mapping[str, Any]]:
    try:
        notebook = json.loads(data)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        raise ValueError("a notebook has cells")
    return [cell if isinstance(cell, dict) else {} for cell in cells]


def _exporter() -> "HTMLExporter":
    from nbconvert.exporters import HTMLExporter

    # The exporter's own cleaning would show paragraphs and headings as their tags: `_converted` cleans.
    exporter = HTMLExporter(
        template_name="basic", sanitize_html=True, exclude_anchor_links=True, filters={"clean_html": _as_it_is}
    )
    exporter.log = logging.getLogger("reports.notebook")
    exporter.log.setLevel(logging.ERROR)
    return exporter


def _as_it_is(html: object) -> object:
    return html


def _cell(exporter: "HTMLExporter", cell: Mapping[str, Any], number: int) -> Cell:
    plain, dropped = _plain(cell)
    try:
        html = _converted(exporter, plain)
    except Exception:  # whatever a student's text does to a parser, the page is written
        html = Markup("<pre>{}</pre>").format(plain["source"])
    return Cell(number, plain["cell_type"], html, dropped)


def _converted(exporter: "HTMLExporter", plain: dict[str, Any]) -> Markup:
    from nbformat import NotebookNode
    from nbformat.v4 import new_notebook

    from reports.sanitize import clean

    html, _ = exporter.from_notebook_node(new_notebook(cells=[NotebookNode(plain)]))
    # The whole cell at once, so that none can end the element that holds it.
    return Markup(clean(html))


def _plain(cell: Mapping[str, Any]) -> tuple[dict[str, Any], int]:
    """A cell made anew from what is shown of it, and how many outputs were dropped."""
    from nbformat import from_dict

    kind = cell.get("cell_type") if cell.get("cell_type") in ("code", "markdown", "raw") else "raw"
    source, cut = _text(cell.get("source"), SOURCE_LIMIT)
    made: dict[str, Any] = {"cell_type": kind, "id": "cell", "metadata": {}, "source": source + cut}
    if kind != "code":
        return made, 0
    count = cell.get("execution_count")
    made["execution_count"] = count if isinstance(count, int) else None
    given = cell.get("outputs")
    given = given if isinstance(given, list) else []
    outputs = [one for output in given[:OUTPUTS] if (one := _output(output)) is not None]
    made["outputs"] = from_dict(outputs)
    return made, len(given) - len(outputs)


def _output(output: object) -> dict[str, Any] | None:
    """An output within bounds; None where it is too long or of an unknown kind."""
    if not isinstance(output, dict):
        return None
    kind = output.get("output_type")
    if kind == "stream":
        return _stream(output)
    if kind == "error":
        lines = output.get("traceback")
        text, cut = _text(lines if isinstance(lines, list) else [], OUTPUT_LIMIT, "\n")
        return None if cut else {"output_type": "error", "ename": "", "evalue": "", "traceback": [text]}
    data = output.get("data")
    if kind not in ("display_data", "execute_result") or not isinstance(data, dict):
        return None
    kept = {name: value for name in (*_IMAGES, *_TEXTS) if (value := _shown(name, data.get(name))) is not None}
    return {"output_type": "display_data", "metadata": {}, "data": kept} if kept else None


def _stream(output: Mapping[str, Any]) -> dict[str, Any] | None:
    text, cut = _text(output.get("text"), OUTPUT_LIMIT)
    name = "stderr" if output.get("name") == "stderr" else "stdout"
    return None if cut else {"output_type": "stream", "name": name, "text": text}


def _shown(kind: str, value: object) -> str | None:
    text, cut = _text(value, IMAGE_LIMIT if kind in _IMAGES else OUTPUT_LIMIT)
    if cut or not text:
        return None
    if kind not in _IMAGES:
        return text
    try:
        b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        return None
    return "".join(text.split())


def _text(value: object, limit: int, between: str = "") -> tuple[str, str]:
    """A multi-line string of a notebook, and a note where it was cut."""
    parts = value if isinstance(value, list) else [value]
    text = between.join(part for part in parts if isinstance(part, str))
    text = text.encode("utf-8", errors="replace").decode("utf-8")
    return text[:limit], f"\n\n[... {len(text) - limit} more characters]" if len(text) > limit else ""
