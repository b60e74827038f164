"""A student's notebook as a page to look at: nothing in it runs, and nothing is fetched."""

import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup

from graders.language import tr, translatable
from reports.pages.notebook_cells import Cell, read
from reports.pages.templating import fill

if TYPE_CHECKING:
    from nbconvert.exporters import HTMLExporter

CELLS = 1_000
UNDESCRIBED = translatable("No description has been provided for this image")  # as nbconvert says it
# Parsers of Markdown and HTML take quadratic time on hostile text: what is longer is shown as it stands.
PARSED_AT_ONCE = 10_000
PARSED_IN_ALL = 300_000
SECONDS = 20.0  # of work, after which cells are shown as they stand; an honest notebook takes one or two


@dataclass(frozen=True)
class Shown:
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
    cells, left_out = read(data, CELLS)
    exporter = _exporter()
    left = PARSED_IN_ALL
    until = time.process_time() + SECONDS
    shown = []
    for number, cell in enumerate(cells, 1):
        left -= sum(cell.parsed)
        html = _html(exporter, cell) if left >= 0 and time.process_time() < until else _as_it_stands(cell)
        shown.append(Shown(number, cell.kind, html, cell.dropped))
    return fill("notebook.html.j2", made_from=made_from, title=title, cells=shown, left_out=left_out)


def _exporter() -> "HTMLExporter":
    from nbconvert.exporters import HTMLExporter

    # The exporter's own cleaning would show paragraphs and headings as their tags: `_html` cleans.
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

    from reports.pages.sanitize_html import clean

    # Code becomes HTML of many small elements, which the cleaning parses in turn.
    if cell.kind == "raw" or max([len(cell.source), *cell.parsed]) > PARSED_AT_ONCE:
        return _as_it_stands(cell)
    try:
        node = new_notebook(cells=[from_dict(cell.node)])  # type: ignore[no-untyped-call]
        html, _ = exporter.from_notebook_node(node)
        # The whole cell at once, so that none can end the element that holds it.
        return Markup(clean(html).replace(f'alt="{UNDESCRIBED}"', f'alt="{tr(UNDESCRIBED)}"'))  # noqa: S704
    except Exception:  # whatever a student's text does to a parser, the page is written
        return _as_it_stands(cell)


def _as_it_stands(cell: Cell) -> Markup:
    return Markup("<pre>{}</pre>").format(cell.source)
