"""What matplotlib writes as a file, made a small part of a page that follows the page's colours."""

import io
import re
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Colours that no picture uses otherwise stand for those of the page, light or dark.
INK, ACCENT, PAPER = "#010203", "#040506", "#070809"
_MEANT = {INK: "currentColor", ACCENT: "var(--accent)", PAPER: "var(--paper)"}

_PROLOGUE = re.compile(r"^.*?(?=<svg)", re.DOTALL)
# Its `*` rule would hold for the whole page, and its metadata are only addresses.
_FOREIGN = re.compile(r"<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->", re.DOTALL)
_ROOT = re.compile(r'<svg[^>]*?viewBox="([\d. -]+)"[^>]*>')
_ID = re.compile(r' id="([^"]*)"')
_TURN = re.compile(r' transform="rotate\(-0 [^)]*\)"')
_EMPTY = re.compile(r"<g[^>]*>\s*</g>|<defs>\s*</defs>|<g[^>]*/>|<path[^>]*style=\"fill: none\"/>")
_FONT = re.compile(r"font-family: [^;\"]*;? ?|font: ([\d.]+px) [^;\"]*;? ?")
_BREAKS = re.compile(r"(?<=>)\s+(?=<)")
_POINT = 4 / 3  # CSS pixels


def drawn(chart: "Figure", prefix: str, label: str) -> Markup:
    """A figure as a part of a page.

    Args:
        chart: the figure, in whose texts there is nothing of a student's.
        prefix: makes the ids in it unique on the page.
        label: the text alternative.
    """
    import matplotlib

    # rc_context puts the settings back; the salt makes two runs give the same ids.
    text = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": prefix}):
        chart.savefig(text, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return Markup(inline(text.getvalue(), prefix, str(escape(label))))  # noqa: S704 - only numbers and our words


def inline(text: str, prefix: str, label: str) -> str:
    """The `<svg>` element alone.

    Args:
        text: the SVG file.
        prefix: put before each id, so that pictures on one page do not share any.
        label: the text alternative, escaped.
    """
    text = _FOREIGN.sub("", _PROLOGUE.sub("", text, count=1))
    text = _TURN.sub("", _FONT.sub(_sized, text))
    text = _ID.sub(lambda found: f' id="{prefix}-{found[1]}"' if f"#{found[1]}" in text else "", text)
    text = re.sub(r"(url\(#|href=\"#)", rf"\g<1>{prefix}-", text)
    for colour, meant in _MEANT.items():
        text = text.replace(colour, meant)
    text = _ROOT.sub(lambda found: _root(found[1], label), text, count=1)
    while (fewer := _EMPTY.sub("", text)) != text:
        text = fewer
    return _BREAKS.sub("", text).strip()


def _sized(found: re.Match[str]) -> str:
    return f"font-size: {found[1]}; " if found[1] else ""


def _root(box: str, label: str) -> str:
    width, height = (float(part) * _POINT for part in box.split()[2:])
    return (
        f'<svg class="picture" role="img" aria-label="{label}" viewBox="{box}" width="{width:.0f}" '
        f'height="{height:.0f}" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'
    )
