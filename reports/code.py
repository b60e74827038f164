"""Students' code, highlighted, numbered as in their notebook, the line to look at marked."""

from dataclasses import dataclass

from markupsafe import Markup, escape
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from graders.result import Definition, Place

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
    start = _start(lines, definition, places)
    shown = [line if len(line) <= WIDTH else line[:WIDTH] + " ..." for line in lines[start : start + LINES]]
    marked = {p.line for p in places if (p.file, p.cell) == (definition.file, definition.cell)}
    first = definition.line + start
    rows = [_row(first + i, html, first + i in marked) for i, html in enumerate(_highlighted(shown))]
    return Listing(Markup("\n").join(rows), len(lines) - len(shown))


def literal(code: str) -> Markup:
    """Highlighted code without numbers."""
    return Markup("\n").join(_highlighted(code.split("\n")))


def _start(lines: list[str], definition: Definition, places: tuple[Place, ...]) -> int:
    """The first line to show: the marked one must be among those shown."""
    inside = [
        p.line - definition.line
        for p in places
        if (p.file, p.cell) == (definition.file, definition.cell) and 0 <= p.line - definition.line < len(lines)
    ]
    return max(0, min(inside[0] - LINES // 2, len(lines) - LINES)) if inside else 0


def _row(number: int, html: Markup, marked: bool) -> Markup:
    if not marked:
        return Markup('<span class="line" data-line="{}">{}</span>').format(number, html)
    return Markup('<span class="line marked" data-line="{}">{}<strong class="here"> &larr; here</strong></span>').format(
        number, html
    )


def _highlighted(lines: list[str]) -> list[Markup]:
    # The lexer must neither strip nor add lines: their numbers are the student's.
    lexer = PythonLexer(stripnl=False, ensurenl=False)
    html = highlight("\n".join(lines), lexer, HtmlFormatter(nowrap=True))
    found = [Markup(line) for line in html.rstrip("\n").split("\n")]
    found += [Markup("")] * (len(lines) - len(found))
    return found if len(found) == len(lines) else [escape(line) for line in lines]
