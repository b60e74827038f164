"""Sanitize a notebook's HTML: only text, its structure and embedded images stay."""

import re
from collections.abc import Iterator
from typing import Any

from bleach.css_sanitizer import CSSSanitizer  # type: ignore[import-untyped]
from bleach.html5lib_shim import Filter  # type: ignore[import-untyped]
from bleach.sanitizer import Cleaner  # type: ignore[import-untyped]
from pygments.token import STANDARD_TYPES

_TEXT = {"a", "abbr", "b", "br", "code", "del", "em", "i", "img", "kbd", "q", "s", "samp", "small", "span"}
_TEXT |= {"strong", "sub", "sup", "u", "var"}
_BLOCKS = {"blockquote", "dd", "div", "dl", "dt", "hr", "li", "ol", "p", "pre", "ul"}
_BLOCKS |= {"details", "summary", "figure", "figcaption"}
_BLOCKS |= {"h1", "h2", "h3", "h4", "h5", "h6"}
_TABLES = {"table", "tbody", "td", "tfoot", "th", "thead", "tr"}
# Only the classes of Pygments and of the exporter stay: others could make text look like ours.
_TOKENS = frozenset(STANDARD_TYPES.values())
_CLASS = re.compile(r"ansi-[a-z0-9-]+|highlight|hl-[a-z0-9]+|prompt|input_prompt|output_\w+")
_IMAGE = re.compile(r"data:image/(?:png|jpeg|gif|svg\+xml);base64,[A-Za-z0-9+/=\s]*")
_LINK = re.compile(r"(?:https?:|mailto:|#)", re.IGNORECASE)
_STYLES = ["font-style", "font-weight", "text-align"]  # no colours: the page may be dark
_CODE = re.compile(r"<(style|script)\b[^>]*>.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
_DRAWING = re.compile(r"<svg\b([^>]*)>.*?</svg\s*>", re.DOTALL | re.IGNORECASE)
_LABEL = re.compile(r'\baria-label="([^"]*)"')
_LOWER_HEADINGS = {"h1": "h2", "h2": "h3", "h3": "h4", "h4": "h5", "h5": "h6"}


def sanitize(html: str) -> str:
    """Remove all that runs, fetches, or could look like a part of our page.

    Of scripts and styles no text stays, and of a drawing its label: its numbers would be a run of digits.
    """
    return str(_CLEANER.clean(_DRAWING.sub(_label, _CODE.sub("", html))))


def _label(drawing: re.Match[str]) -> str:
    label = _LABEL.search(drawing[1])
    return f"<p>{label[1]}</p>" if label else ""


class _LowerHeadings(Filter):  # type: ignore[misc]
    """Lowers headings by one level, since the page's title is its only `h1`."""

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for token in super().__iter__():
            if token["type"] in ("StartTag", "EndTag"):
                token["name"] = _LOWER_HEADINGS.get(token["name"], token["name"])
            yield token


def _is_allowed(tag: str, name: str, value: str) -> bool:
    if name == "class":
        return all(part in _TOKENS or _CLASS.fullmatch(part) for part in value.split())
    if name == "src":
        return tag == "img" and _IMAGE.fullmatch(value) is not None
    if name == "href":
        return tag == "a" and _LINK.match(value) is not None
    return name in ("alt", "title", "colspan", "rowspan", "scope", "start", "style", "dir", "lang")


_CLEANER = Cleaner(
    tags=_TEXT | _BLOCKS | _TABLES,
    attributes=_is_allowed,
    protocols=["http", "https", "mailto", "data"],
    strip=True,
    css_sanitizer=CSSSanitizer(allowed_css_properties=_STYLES),
    filters=[_LowerHeadings],
)
