"""A student's notebook as a read-only page: nothing in it runs, and nothing is fetched."""

import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup

from graders.language import tr, translatable
from reports.pages.notebook_cells import Cell, read_cells
from reports.pages.templating import fill

if TYPE_CHECKING:
    from nbconvert.exporters import HTMLExporter

MAX_CELLS = 1_000
MISSING_ALT_TEXT = translatable("No description has been provided for this image")  # as nbconvert says it
# Markdown and HTML parsers take quadratic time on hostile text: longer text is shown unparsed.
MAX_PARSED_CELL = 10_000
MAX_PARSED_OUTPUTS = 50_000  # of a cell, which is sanitized in one piece
MAX_PARSED_PAGE = 300_000
MAX_SECONDS = 20.0  # of CPU time; later cells are shown unparsed. An honest notebook takes one or two


@dataclass(frozen=True)
class RenderedCell:
    """A cell on the page: `number` counts all cells from 1."""

    number: int
    kind: str
    html: Markup
    dropped: int


def render(data: bytes, title: str, made_from: str = "") -> str:
    """The page of a notebook, with an anchor `cell-N` per cell.

    Args:
        data: the `.ipynb` file. Only sources and outputs are taken from it; metadata is not.
        title: of the page.
        made_from: a digest for `reports.pages.page_digest`, kept in the page.

    Raises:
        ValueError: it is not a notebook.
    """
    cells, left_out = read_cells(data, MAX_CELLS)
    exporter = _exporter()
    budget = MAX_PARSED_PAGE
    deadline = time.process_time() + MAX_SECONDS
    rendered = []
    for number, cell in enumerate(cells, 1):
        budget -= sum(cell.parsed)
        html = (
            _html(exporter, cell) if budget >= 0 and time.process_time() < deadline else _as_plain_text(cell)
        )
        rendered.append(RenderedCell(number, cell.kind, html, cell.dropped))
    return fill("notebook.html.j2", made_from=made_from, title=title, cells=rendered, left_out=left_out)


def _exporter() -> "HTMLExporter":
    from nbconvert.exporters import HTMLExporter

    # The exporter's own sanitizer would escape paragraphs and headings: `_html` sanitizes instead.
    exporter = HTMLExporter(  # type: ignore[no-untyped-call]
        template_name="basic",
        sanitize_html=True,
        exclude_anchor_links=True,
        filters={"clean_html": lambda html: html},
    )
    exporter.log = logging.getLogger("reports.pages.notebook_page")
    exporter.log.setLevel(logging.ERROR)
    return exporter


def _html(exporter: "HTMLExporter", cell: Cell) -> Markup:
    from nbformat import from_dict
    from nbformat.v4 import new_notebook

    from reports.pages.sanitize_html import sanitize

    # Highlighted code is HTML of many small elements, which the sanitizer must parse.
    too_long = (
        max([len(cell.source), *cell.parsed]) > MAX_PARSED_CELL or sum(cell.parsed) > MAX_PARSED_OUTPUTS
    )
    if cell.kind == "raw" or too_long:
        return _as_plain_text(cell)
    try:
        node = new_notebook(cells=[from_dict(cell.node)])  # type: ignore[no-untyped-call]
        html, _ = exporter.from_notebook_node(node)
        # Sanitize the whole cell at once, so that no cell can close the element around it.
        return Markup(sanitize(html).replace(f'alt="{MISSING_ALT_TEXT}"', f'alt="{tr(MISSING_ALT_TEXT)}"'))  # noqa: S704
    except Exception:  # a student's text may break a parser; the page is written anyway
        return _as_plain_text(cell)


def _as_plain_text(cell: Cell) -> Markup:
    return Markup("<pre>{}</pre>").format(cell.source)
