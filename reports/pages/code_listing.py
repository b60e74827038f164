"""Students' code, highlighted, numbered as in their notebook, the line to look at marked."""

from dataclasses import dataclass

from markupsafe import Markup, escape
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from graders.language import tr
from graders.results.result import Definition, Place

LINES = 300
WIDTH = 400


@dataclass(frozen=True)
class Listing:
    """Code as HTML, one element per line; `left_out` lines did not fit."""

    html: Markup
    left_out: int


def listing(definition: Definition, places: tuple[Place, ...] = ()) -> Listing:
    """A definition's code. Lines at one of `places` are marked, in words too."""
    lines = definition.code.rstrip("\n").split("\n")
    marked = _marked(definition, places)
    start = _start(len(lines), marked)
    shown = [_cut(line) for line in lines[start : start + LINES]]
    first = definition.line + start
    rows = [_row(first + i, html, start + i in marked) for i, html in enumerate(_highlighted(shown))]
    return Listing(Markup("\n").join(rows), len(lines) - len(shown))


def literal(code: str) -> Markup:
    """Highlighted code without numbers."""
    return Markup("\n").join(_highlighted(code.split("\n")))


def _marked(definition: Definition, places: tuple[Place, ...]) -> set[int]:
    """Which lines of the definition are to be looked at, counted from 0."""
    here = (definition.file, definition.cell)
    return {place.line - definition.line for place in places if (place.file, place.cell) == here}


def _start(count: int, marked: set[int]) -> int:
    """The first line to show: a marked one must be among those shown."""
    inside = [line for line in marked if 0 <= line < count]
    return max(0, min(min(inside) - LINES // 2, count - LINES)) if inside else 0


def _cut(line: str) -> str:
    return line if len(line) <= WIDTH else line[:WIDTH] + " ..."


def _row(number: int, html: Markup, marked: bool) -> Markup:
    if marked:
        html += Markup('<strong class="here"> &larr; {}</strong>').format(tr("here"))
    row = Markup('<span class="line{}" data-line="{}">{}</span>')
    return row.format(" marked" if marked else "", number, html)


def _highlighted(lines: list[str]) -> list[Markup]:
    # The lexer must neither strip nor add lines: their numbers are the student's.
    lexer = PythonLexer(stripnl=False, ensurenl=False)
    html = highlight("\n".join(lines), lexer, HtmlFormatter(nowrap=True))
    found = [Markup(line) for line in html.split("\n")[: len(lines)]]  # noqa: S704 - the formatter escaped it
    return found if len(found) == len(lines) else [escape(line) for line in lines]
