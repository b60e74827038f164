"""A figure of matplotlib as plain data: what its axes show and how they are labelled. No pixel is sent.

What nobody would see is not shown: hidden or transparent images, axes outside of the figure. The first figure
of a process is drawn, and panels of it that stay of one colour are left out too.

Nothing here imports matplotlib: where a figure is drawn, the student's code has done so.
"""

import importlib
import sys
from collections.abc import Callable
from typing import Any

import numpy
import torch

from softmark_worker.answer_parts import with_names, without_long_parts

PANELS = 64  # axes of a figure that are described
LABELS = 600  # labels of an axis
TEXT = 200  # characters of a label
FAINTEST = 0.05  # the alpha of an image, from which on it counts as visible
DOTS = 40.0  # pixels per inch of the figure that is drawn

_has_drawn = False  # whether this process has drawn a figure: one takes 50 to 100 ms


def call(called: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """The answer of a call, with a figure in it as plain data (`describe`).

    A figure is the answer, or the first in a tuple or list, or what axes belong to. Where nothing comes back
    and the call has opened a figure, it is that one. Figures that were opened are closed.
    """
    before = _open_figures()
    answer = called(*args, **kwargs)
    opened = [number for number in _open_figures() if number not in before]
    figure = _figure_of(answer)
    if figure is None and answer is None and opened:
        figure = sys.modules["matplotlib.pyplot"].figure(opened[-1])
    if figure is None:
        described = without_long_parts(with_names(answer))
    else:
        described = describe(figure, answer is not None)
    for number in opened:
        sys.modules["matplotlib.pyplot"].close(number)
    return described


def describe(figure: Any, returned: bool) -> dict[str, Any]:
    """Whether a figure was returned, and its panels: the axes that show an array.

    Each has its `array`, its labels in `columns` and `rows` as pairs of a place and a text, and its `place`
    in the figure, from the top and from the left. Scales of colours are left out.
    """
    all_axes = sys.modules["matplotlib.figure"].Figure.axes.fget(figure)  # not what a class of one's own says
    axes = [one for one in all_axes if one.get_label() != "<colorbar>" and _is_seen(one)]
    shown = [(one, _shown_in(one)) for one in axes]
    shown = _without_blank(figure, [(one, found) for one, found in shown if found[0] is not None])
    panels = [_describe_panel(one, array, offset) for one, (array, offset) in shown if array is not None]
    return {"returned": returned, "panels": panels[:PANELS]}


def _describe_panel(axes: Any, array: torch.Tensor, offset: float) -> dict[str, Any]:
    box = axes.get_position()
    return {
        "array": array,
        "columns": _labels_of("x", axes, offset),
        "rows": _labels_of("y", axes, offset),
        "place": [1.0 - float(box.y1), float(box.x0)],
    }


def _shown_in(axes: Any) -> tuple[torch.Tensor | None, float]:
    """The array of its image, or of its mesh, and where the middle of the first cell is."""
    images = [image for image in axes.images if _is_visible(image)]
    if images:
        return _as_tensor(images[0].get_array()), 0.0
    meshes = [p for p in axes.collections if type(p).__name__ == "QuadMesh" and _is_visible(p)]
    return (_as_tensor(meshes[0].get_array()), 0.5) if meshes else (None, 0.0)


def _is_seen(axes: Any) -> bool:
    """Whether the middle of axes lies in the figure, and they are drawn."""
    box = axes.get_position()
    inside = all(0.0 <= (low + high) / 2 <= 1.0 for low, high in ((box.x0, box.x1), (box.y0, box.y1)))
    return bool(axes.get_visible()) and inside and box.width > 0 and box.height > 0


def _is_visible(artist: Any) -> bool:
    alpha = artist.get_alpha()
    return bool(artist.get_visible()) and (alpha is None or float(numpy.max(alpha)) >= FAINTEST)


def _without_blank(figure: Any, shown: list[Any]) -> list[Any]:
    """The panels in which something is to be seen, where this is the first figure of the process."""
    global _has_drawn
    if _has_drawn or not shown:
        return shown
    _has_drawn = True
    try:
        pixels = _draw(figure)
    except Exception:  # matplotlib cannot draw it here: no font, for example
        return shown
    return [(axes, found) for axes, found in shown if _differs(pixels, axes.get_position())]


def _draw(figure: Any) -> Any:
    figure.set_dpi(DOTS)
    canvas = importlib.import_module("matplotlib.backends.backend_agg").FigureCanvasAgg(figure)
    canvas.draw()
    return numpy.asarray(canvas.buffer_rgba())


def _differs(pixels: Any, box: Any) -> bool:
    """Whether the inner half of a box of the figure has more than one colour."""
    high, wide = pixels.shape[:2]
    inner_x, inner_y = (box.x1 - box.x0) / 4, (box.y1 - box.y0) / 4
    rows = slice(int((1 - box.y1 + inner_y) * high), int((1 - box.y0 - inner_y) * high) + 1)
    columns = slice(int((box.x0 + inner_x) * wide), int((box.x1 - inner_x) * wide) + 1)
    part = pixels[rows, columns].reshape(-1, pixels.shape[2])
    return bool(len(part)) and bool((part != part[:1]).any())


def _as_tensor(values: Any) -> torch.Tensor:
    return torch.from_numpy(numpy.array(numpy.ma.filled(values.astype(float), numpy.nan)))


def _labels_of(side: str, axes: Any, offset: float) -> list[list[Any]]:
    """The labels of the axes or, where they have none, of those with which they share them."""
    sharing = getattr(axes, f"get_shared_{side}_axes")().get_siblings(axes)
    labelled = (_labels(getattr(one, f"{side}axis"), offset) for one in (axes, *sharing))
    return next((labels for labels in labelled if any(text for _, text in labels)), [])


def _labels(axis: Any, offset: float) -> list[list[Any]]:
    pairs = list(zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=False))[:LABELS]
    return [[float(place) - offset, str(label.get_text())[:TEXT]] for place, label in pairs]


def _figure_of(answer: Any) -> Any:
    module = sys.modules.get("matplotlib.figure")
    if module is None:
        return None
    first = answer[0] if isinstance(answer, tuple | list) and answer else answer
    if isinstance(first, numpy.ndarray) and first.dtype == object and first.size:
        first = first.flat[0]
    figure = first if isinstance(first, module.Figure) else getattr(first, "figure", None)
    return figure if isinstance(figure, module.Figure) else None


def _open_figures() -> list[int]:
    pyplot = sys.modules.get("matplotlib.pyplot")
    return list(pyplot.get_fignums()) if pyplot is not None and hasattr(pyplot, "get_fignums") else []
