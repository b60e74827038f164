"""Turn a matplotlib figure into a small inline SVG that uses the colours of the page."""

import io
import re
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Placeholders that no figure uses otherwise: replaced by the colours of the page, light or dark.
INK, ACCENT, PAPER = "#010203", "#040506", "#070809"
_PAGE_COLOURS = {INK: "currentColor", ACCENT: "var(--accent)", PAPER: "var(--paper)"}

_PROLOGUE = re.compile(r"^.*?(?=<svg)", re.DOTALL)
# The `*` rule of the style would apply to the whole page, and the metadata are only addresses.
_UNWANTED = re.compile(r"<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->", re.DOTALL)
_ROOT = re.compile(r'<svg[^>]*?viewBox="([\d. -]+)"[^>]*>')
_ID = re.compile(r' id="([^"]*)"')
_NULL_ROTATION = re.compile(r' transform="rotate\(-0 [^)]*\)"')
_EMPTY = re.compile(r"<g[^>]*>\s*</g>|<defs>\s*</defs>|<g[^>]*/>|<path[^>]*style=\"fill: none\"/>")
_FONT = re.compile(r"font-family: [^;\"]*;? ?|font: ([\d.]+px) [^;\"]*;? ?")
_BREAKS = re.compile(r"(?<=>)\s+(?=<)")
_POINT = 4 / 3  # CSS pixels


def render_svg(chart: "Figure", prefix: str, label: str) -> Markup:
    """Render a figure as inline SVG.

    Args:
        chart: the figure; none of its texts may come from a student.
        prefix: makes the ids in it unique on the page.
        label: the text alternative.
    """
    import matplotlib

    # The salt makes the ids of two runs equal.
    text = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": prefix}):
        chart.savefig(text, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return Markup(extract_svg(text.getvalue(), prefix, str(escape(label))))  # noqa: S704 - only numbers and our words


def extract_svg(text: str, prefix: str, label: str) -> str:
    """Extract the `<svg>` element of a file, without what the page does not need.

    Args:
        text: the SVG file.
        prefix: put before each id, so that ids are unique on a page.
        label: the text alternative, escaped.
    """
    text = _UNWANTED.sub("", _PROLOGUE.sub("", text, count=1))
    text = _NULL_ROTATION.sub("", _FONT.sub(_font_size, text))
    text = _ID.sub(lambda match: f' id="{prefix}-{match[1]}"' if f"#{match[1]}" in text else "", text)
    text = re.sub(r"(url\(#|href=\"#)", rf"\g<1>{prefix}-", text)
    for colour, page_colour in _PAGE_COLOURS.items():
        text = text.replace(colour, page_colour)
    text = _ROOT.sub(lambda match: _root_element(match[1], label), text, count=1)
    while (smaller := _EMPTY.sub("", text)) != text:
        text = smaller
    return _BREAKS.sub("", text).strip()


def _font_size(match: re.Match[str]) -> str:
    return f"font-size: {match[1]}; " if match[1] else ""


def _root_element(box: str, label: str) -> str:
    width, height = (float(part) * _POINT for part in box.split()[2:])
    return (
        f'<svg class="picture" role="img" aria-label="{label}" viewBox="{box}" width="{width:.0f}" '
        f'height="{height:.0f}" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'
    )
