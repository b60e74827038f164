"""What is left of a cell's output in viewers that remove what they do not trust from a notebook."""

from html.parser import HTMLParser

import nh3
from nbconvert.filters import clean_html

# Those of GitHub's viewer, which keeps structure, and neither styles, classes, pictures nor scripts.
_TEXT = {"a", "b", "br", "code", "del", "em", "i", "ins", "kbd", "q", "small", "span", "strong", "sub", "sup"}
_BLOCKS = {
    "blockquote",
    "details",
    "div",
    "figcaption",
    "figure",
    "hr",
    "li",
    "ol",
    "p",
    "pre",
    "summary",
    "ul",
}
_BLOCKS |= {"h1", "h2", "h3", "h4", "h5", "h6", "img", "table", "tbody", "td", "tfoot", "th", "thead", "tr"}
_ATTRIBUTES = {"a": {"href"}, "img": {"alt"}, "*": {"align", "lang", "open", "colspan", "rowspan"}}
_LINES = {"details", "div", "figcaption", "figure", "h3", "h4", "li", "p", "pre", "summary", "table", "tr"}


def on_github(html: str) -> str:
    """What a strict sanitizer leaves: no style, class, SVG, script or embedded image."""
    return nh3.clean(html, tags=_TEXT | _BLOCKS, attributes=_ATTRIBUTES)


def in_nbconvert(html: str) -> str:
    """What nbconvert's own sanitizer leaves: it shows the tags that it does not know as text."""
    return str(clean_html(html))


def read(html: str) -> str:
    """HTML as a browser for text shows it: blocks and rows on lines of their own, cells apart."""
    reader = _Reader()
    reader.feed(html)
    lines = ("".join(reader.parts)).split("\n")
    return "\n".join(line for line in (" ".join(line.split()) for line in lines) if line)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _LINES:
            self.parts.append("\n")
        if tag == "td":
            self.parts.append(" | ")
        if tag == "img":
            self.parts.append(dict(attrs).get("alt") or "")

    def handle_endtag(self, tag: str) -> None:
        if tag in _LINES:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        self.parts.append(data)
