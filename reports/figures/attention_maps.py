"""Inline SVG: the attention of heads on a sentence, a map for each head, labelled with the tokens.

Written by hand and not by matplotlib: dozens of maps with dozens of labels each would take it seconds, and it
reads `$` in a token as a formula.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import east_asian_width

from markupsafe import Markup, escape

from graders.language import number, tr, translatable
from graders.results.heads import Drawing, Heads, LayerOfHeads, Matrix
from reports.figures import png
from reports.figures.colour_scale import Scale, colour_at, gradient

SIDE, CELL, LEAST_CELL = 260, 20, 9  # CSS pixels of a map, and the bounds of a cell
LABEL = 14  # characters of a label
SHADES = 64  # colours of a map
SPACE = "\u2423"  # stands for a token that is a space

WEIGHTS = {
    "none": translatable("Your function: its queries, keys and values are the tokens' vectors themselves."),
    "reference": translatable("Your module, with the same parameters as everybody's."),
    "random": translatable("Your module, with random parameters: it could not be given the reference's."),
    "trained": translatable("Your trained model."),
    "pretrained": translatable("Not yours: a model that was trained on much text, for comparison."),
}


@dataclass(frozen=True)
class Map:
    """A head's picture."""

    title: str
    svg: Markup


@dataclass(frozen=True)
class LayerView:
    """The pictures of a layer; `title` is empty where there is only one."""

    title: str
    maps: tuple[Map, ...]


@dataclass(frozen=True, kw_only=True)
class DrawingView:
    """A drawing as the template shows it: `rows` has, for each token, where each head looks most."""

    caption: str
    layers: tuple[LayerView, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    low: str
    high: str
    colours: str
    notes: tuple[str, ...]
    problem: str | None


@dataclass(frozen=True)
class Group:
    """The drawings of one exercise, side by side."""

    title: str
    says: str
    drawings: tuple[DrawingView, ...]


def template_values(heads: Heads) -> dict[str, object]:
    """The values for `heads.html.j2`."""
    names = dict.fromkeys((d.exercise, d.title) for d in heads.drawings)
    groups = [_group([d for d in heads.drawings if (d.exercise, d.title) == name]) for name in names]
    return {"sentence": heads.sentence, "groups": groups}


def _group(drawings: Sequence[Drawing]) -> Group:
    origin = next((d.weights_from for d in drawings if d.weights_from), "")
    says = tr(WEIGHTS[origin]) if origin in WEIGHTS else ""
    return Group(drawings[0].title, says, tuple(map(_view, drawings)))


def _view(drawing: Drawing) -> DrawingView:
    caption = tr("No token should see later ones") if drawing.causal else tr("Every token may see all")
    matrices = [(layer, layer.matrices()) for layer in drawing.layers]
    values = [value for _, of_layer in matrices for m in of_layer for row in m for value in row]
    if drawing.problem is not None or not values:
        problem = drawing.problem or tr("There is nothing to draw.")
        return DrawingView(
            caption=caption,
            layers=(),
            columns=(),
            rows=(),
            low="",
            high="",
            colours="",
            notes=drawing.notes,
            problem=problem,
        )
    scale = Scale(min(0.0, *values), max(values))
    layers = tuple(_layer(drawing.tokens, layer, of_layer, scale) for layer, of_layer in matrices)
    columns = tuple(_name(layer, head) for layer, _ in matrices for head in layer.heads)
    flat = [matrix for _, of_layer in matrices for matrix in of_layer]
    low, high = number(scale.low, ".2g"), number(scale.high, ".2g")
    rows = _strongest(drawing.tokens, flat)
    return DrawingView(
        caption=caption,
        layers=layers,
        columns=columns,
        rows=rows,
        low=low,
        high=high,
        colours=gradient(scale),
        notes=drawing.notes,
        problem=None,
    )


def _layer(tokens: Sequence[str], layer: LayerOfHeads, matrices: Sequence[Matrix], scale: Scale) -> LayerView:
    title = "" if layer.layer is None else tr("Layer {n}", n=layer.layer)
    label = translatable("attention map of {name}; the table below says where each token looks most")
    maps = [
        Map(tr("Head {n}", n=head), draw_map(matrix, tokens, scale, tr(label, name=_name(layer, head))))
        for head, matrix in zip(layer.heads, matrices, strict=True)
    ]
    return LayerView(title, tuple(maps))


def _name(layer: LayerOfHeads, head: int) -> str:
    if layer.layer is None:
        return tr("Head {n}", n=head)
    return tr("layer {layer}, head {head}", layer=layer.layer, head=head)


def _strongest(
    tokens: Sequence[str], matrices: Sequence[Matrix]
) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """For each token, what each head looks at most, and with which weight."""
    rows = []
    for place, token in enumerate(tokens):
        most = [max(enumerate(matrix[place]), key=lambda pair: pair[1]) for matrix in matrices]
        rows.append((_shown(token), tuple((_shown(tokens[at]), number(value, ".2f")) for at, value in most)))
    return tuple(rows)


def draw_map(matrix: Matrix, tokens: Sequence[str], scale: Scale, label: str) -> Markup:
    """One map: a row for each token that looks, a column for each that is looked at.

    Args:
        matrix: the weights, row by row.
        tokens: the labels of rows and columns.
        scale: of the colours.
        label: the text alternative.
    """
    count = len(tokens)
    cell = max(LEAST_CELL, min(CELL, SIDE // count))
    font = min(11, cell)
    labels = [_shown(token) for token in tokens]
    upright = all(len(text) == 1 for text in labels)
    left = 6 + 0.62 * font * max(map(_width, labels))
    top = font + 5 if upright else left
    side = cell * count
    middles = [cell * (place + 0.5) for place in range(count)]
    at, anchor = (left / 2, "middle") if upright else (left - 4, "end")
    rows = "".join(_text(text, at, top + y + 0.35 * font) for text, y in zip(labels, middles, strict=True))
    if upright:
        columns = "".join(_text(text, left + x, top - 4) for text, x in zip(labels, middles, strict=True))
        columns = f'<g text-anchor="middle">{columns}</g>'
    else:  # from the map upwards
        columns = "".join(
            _text(text, 4 - top, left + x + 0.35 * font) for text, x in zip(labels, middles, strict=True)
        )
        columns = f'<g transform="rotate(-90)">{columns}</g>'
    width, height = left + side + 2, top + side + 2
    return Markup(  # noqa: S704 - numbers, a picture of ours and escaped labels
        f'<svg class="picture" role="img" aria-label="{escape(label)}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" font-size="{font}" xmlns="http://www.w3.org/2000/svg" '
        f'xmlns:xlink="http://www.w3.org/1999/xlink">'
        f'<image x="{left:.1f}" y="{top:.1f}" width="{side}" height="{side}" preserveAspectRatio="none" '
        f'xlink:href="data:image/png;base64,{_png(matrix, scale)}"/>'
        f'<g text-anchor="{anchor}">{rows}</g>{columns}</svg>'
    )


def _text(text: str, x: float, y: float) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'


def _shown(token: str) -> str:
    """A token as a label."""
    if not token.strip():
        return SPACE
    return token if len(token) <= LABEL else f"{token[: LABEL - 1]}\u2026"


def _width(text: str) -> int:
    """The width of a label, in letters."""
    return sum(2 if east_asian_width(char) in "WF" else 1 for char in text)


def _png(matrix: Matrix, scale: Scale) -> str:
    """A picture with a pixel for each weight, in a palette of shades."""
    rows = [bytes(round(scale.shade(value) * (SHADES - 1)) for value in row) for row in matrix]
    palette = b"".join(bytes(map(round, colour_at(scale, shade / (SHADES - 1)))) for shade in range(SHADES))
    return png.with_palette(rows, len(matrix), palette)
