"""Sanitize a notebook's HTML: only text, its structure and embedded images stay."""

import re
from typing import Any

import nh3
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
# No colours: the page may be dark. A value is words: brackets and quotes make addresses and expressions.
_STYLE = re.compile(r"\s*(?:font-style|font-weight|text-align)\s*:[\w\s-]+", re.IGNORECASE)
_DRAWING = re.compile(r"<(/?)svg\b([^<>]*)>", re.IGNORECASE)
_LABEL = re.compile(r'\baria-label="([^"]*)"')
_HEADING = re.compile(r"(</?h)([1-5])(?=[ >])")


def sanitize(html: str) -> str:
    """Remove all that runs, fetches, or could look like a part of our page.

    Of scripts and styles no text stays, and of a drawing its label: its numbers would be a run of digits.
    """
    # The page's title is its only `h1`, so headings are lowered by one level. Clean text has no `<`.
    return _HEADING.sub(lambda tag: f"{tag[1]}{int(tag[2]) + 1}", _CLEANER.clean(_with_labels(html)))


def _with_labels(html: str) -> str:
    """The text with the label of each drawing in front of it; a drawing within another has none.

    One pass over the tags: to look for the end of each drawing takes quadratic time where there is none.
    """
    depth = 0

    def add_label(tag: re.Match[str]) -> str:
        nonlocal depth
        if tag[1]:
            depth = max(depth - 1, 0)
            return tag[0]
        outermost, depth = depth == 0, depth + (not tag[2].endswith("/"))
        label = _LABEL.search(tag[2])
        return f"<p>{label[1]}</p>{tag[0]}" if outermost and label else tag[0]

    return _DRAWING.sub(add_label, html)


def _filter_attribute(tag: str, name: str, value: str) -> str | None:  # noqa: ARG001 - nh3 gives three
    """The value that an attribute may have; None where it may not be there."""
    if name == "style":
        return ";".join(part.strip() for part in value.split(";") if _STYLE.fullmatch(part)) or None
    if name == "class":
        return value if all(part in _TOKENS or _CLASS.fullmatch(part) for part in value.split()) else None
    if name == "src":
        return value if _IMAGE.fullmatch(value) else None
    if name == "href":
        return value if _LINK.match(value) else None
    return value


# What is not named here is not kept. Tests widen one option at a time and see attacks come through.
OPTIONS: dict[str, Any] = {
    "tags": _TEXT | _BLOCKS | _TABLES,
    "clean_content_tags": {"script", "style", "svg"},
    "attributes": {
        "*": {"alt", "class", "colspan", "dir", "lang", "rowspan", "scope", "start", "style", "title"},
        "a": {"href"},
        "img": {"src"},
    },
    "attribute_filter": _filter_attribute,
    "url_schemes": {"http", "https", "mailto", "data"},
    "link_rel": None,  # the page's own policy sends no referrer, and no link has a target
}
_CLEANER = nh3.Cleaner(**OPTIONS)
