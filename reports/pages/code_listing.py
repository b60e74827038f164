"""Students' code, highlighted and numbered as in their notebook, with the lines of errors marked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any

from markupsafe import Markup, escape

from graders.classroom.comments import Comment
from graders.language import tr
from graders.results.result import Definition, Place
from reports import words

MAX_LINES = 300
MAX_WIDTH = 400
_NOTE = Markup('\n<span class="note" role="note"><b>{}</b> {}</span>')


@dataclass(frozen=True)
class Listing:
    """Code as HTML, one element per line; `left_out` counts the lines that did not fit."""

    html: Markup
    left_out: int


def load() -> None:
    """Compile the rules for Python: processes that are forked later have them."""
    _lexer_and_formatter()


def list_definition(
    definition: Definition,
    places: tuple[Place, ...] = (),
    comments: Mapping[int, list[Comment]] = MappingProxyType({}),
) -> Listing:
    """List a definition's code. Lines at one of `places` are marked, also with a word.

    Args:
        definition: whose code is listed.
        places: lines that raised errors, or are to be changed.
        comments: what people say, by the number of the line below which it stands.
    """
    lines = definition.code.rstrip("\n").split("\n")
    marked = _marked_lines(definition, places)
    start = _first_line(len(lines), marked or {line - definition.line for line in comments})
    shown = [_cut_line(line) for line in lines[start : start + MAX_LINES]]
    first = definition.line + start
    rows = [
        _row(first + i, html, start + i in marked, comments.get(first + i, ()))
        for i, html in enumerate(_highlight(shown))
    ]
    return Listing(Markup("\n").join(rows), len(lines) - len(shown))


def highlight_code(code: str) -> Markup:
    """Highlight code, without line numbers."""
    return Markup("\n").join(_highlight(code.split("\n")))


def _marked_lines(definition: Definition, places: tuple[Place, ...]) -> set[int]:
    """The lines of the definition that are marked, counted from 0."""
    here = (definition.file, definition.cell)
    return {place.line - definition.line for place in places if (place.file, place.cell) == here}


def _first_line(count: int, marked: set[int]) -> int:
    """The first line to show, chosen so that a marked line is among those shown."""
    inside = [line for line in marked if 0 <= line < count]
    return max(0, min(min(inside) - MAX_LINES // 2, count - MAX_LINES)) if inside else 0


def _cut_line(line: str) -> str:
    return line if len(line) <= MAX_WIDTH else line[:MAX_WIDTH] + " ..."


def _row(number: int, html: Markup, marked: bool, comments: Sequence[Comment]) -> Markup:
    if marked:
        html += Markup('<strong class="here"> &larr; {}</strong>').format(tr("here"))
    row = Markup('<span class="line{}" data-line="{}">{}</span>')
    said = Markup().join(_NOTE.format(tr("Comment"), words.with_points(each)) for each in comments)
    return row.format(" marked" if marked else "", number, html) + said


def _highlight(lines: list[str]) -> list[Markup]:
    html = _as_html("\n".join(lines))
    html_lines = [Markup(line) for line in html.split("\n")[: len(lines)]]  # noqa: S704 - the formatter escaped it
    return html_lines if len(html_lines) == len(lines) else [escape(line) for line in lines]


@lru_cache(256)  # what several exercises need is shown with each of them
def _as_html(code: str) -> str:
    from pygments import highlight

    html: str = highlight(code, *_lexer_and_formatter())
    return html


@cache
def _lexer_and_formatter() -> tuple[Any, Any]:
    from pygments.formatters import HtmlFormatter  # here: its rules for Python are compiled
    from pygments.lexers import PythonLexer

    # The lexer must neither strip nor add lines, since the numbers are the student's.
    return PythonLexer(stripnl=False, ensurenl=False), HtmlFormatter(nowrap=True)
