"""What may stay of a notebook's HTML: text and its structure, and images that are in the page already."""

import re
from collections.abc import Iterator
from typing import Any

from bleach.css_sanitizer import CSSSanitizer
from bleach.html5lib_shim import Filter
from bleach.sanitizer import Cleaner

_TAGS = frozenset(
    "a abbr b blockquote br code dd del div dl dt em h1 h2 h3 h4 h5 h6 hr i img kbd li ol p pre q s samp small "
    "span strong sub sup table tbody td tfoot th thead tr u ul var".split()
)
# Of the classes only Pygments' and the exporter's own stay: others could dress text as ours.
_CLASS = re.compile(r"(?:[a-z]{1,3}\d?|ansi-[a-z0-9-]+|highlight|prompt|input_prompt|output_\w+)")
_IMAGE = re.compile(r"data:image/(?:png|jpeg|gif|svg\+xml);base64,[A-Za-z0-9+/=\s]*")
_LINK = re.compile(r"(?:https?:|mailto:|#)", re.IGNORECASE)
_STYLES = ["font-style", "font-weight", "text-align"]  # no colours: the page may be dark
_LOWER = {"h1": "h2", "h2": "h3", "h3": "h4", "h4": "h5", "h5": "h6"}


def clean(html: Any) -> str:
    """The HTML without anything that runs, fetches, or looks like a part of our page."""
    return str(_CLEANER.clean(html.decode() if isinstance(html, bytes) else str(html)))


class _Lowered(Filter):  # type: ignore[misc]
    """Headings one level lower, since the page's title is its only `h1`; links that tell nobody."""

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for token in super().__iter__():
            if token["type"] in ("StartTag", "EndTag"):
                token["name"] = _LOWER.get(token["name"], token["name"])
            yield token


def _kept(tag: str, name: str, value: str) -> bool:
    if name == "class":
        return all(_CLASS.fullmatch(part) for part in value.split())
    if name == "src":
        return tag == "img" and _IMAGE.fullmatch(value) is not None
    if name == "href":
        return tag == "a" and _LINK.match(value) is not None
    return name in ("alt", "title", "colspan", "rowspan", "scope", "start", "style", "dir", "lang")


_CLEANER = Cleaner(
    tags=_TAGS,
    attributes=_kept,
    protocols=["http", "https", "mailto", "data"],
    strip=True,
    css_sanitizer=CSSSanitizer(allowed_css_properties=_STYLES),
    filters=[_Lowered],
)
