"""Inline SVG that is written by hand, in points: what is drawn, between its element and its text alternative.

matplotlib would take half a second for the first, and 30 ms for each.
"""

import base64

from markupsafe import Markup, escape

INK, ACCENT, PAPER = "currentColor", "var(--accent)", "var(--paper)"  # the colours of the page, light or dark
_ON_ANY_PAGE = {INK: "#767676", ACCENT: "#3a76ad", PAPER: "#ffffff"}
_POINT = 4 / 3  # CSS pixels


def picture(drawn: str, width: float, height: float, label: str) -> Markup:
    """A picture.

    Args:
        drawn: elements of SVG: numbers and our words, escaped.
        width: in points.
        height: in points.
        label: the text alternative.
    """
    return Markup(  # noqa: S704 - as `drawn` says
        f'<svg class="picture" role="img" aria-label="{escape(label)}" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width * _POINT:.0f}" height="{height * _POINT:.0f}" fill="{INK}" '
        'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'
        f"{drawn}</svg>"
    )


def text(written: object, x: float, y: float, further: str = "") -> str:
    """A text at a place; `further` are attributes of its element."""
    return f'<text x="{x:.2f}" y="{y:.2f}"{further}>{escape(written)}</text>'


def as_image(svg: Markup, label: str) -> Markup:
    """An inline SVG as an image, whose colours can be read on light and dark paper alike.

    Viewers of notebooks that remove SVG keep images, or show the label.
    """
    whole = str(svg)
    for colour, either in _ON_ANY_PAGE.items():
        whole = whole.replace(colour, either)
    data = base64.b64encode(whole.encode()).decode()
    return Markup('<img class="picture" alt="{}" src="data:image/svg+xml;base64,{}">').format(label, data)
