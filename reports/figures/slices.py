"""The matrix of a tensor that a picture can show: its last two axes, where the tensors differ most."""

import math
from dataclasses import dataclass

from graders.language import tr
from graders.results.case import Case, TensorView
from reports.words import figures

SIDE = 32  # rows and columns of a picture, at most


@dataclass(frozen=True)
class Matrix:
    """A window of a tensor: `cells[r][c]` is None where the value was not kept.

    `top` and `left` are the indices of its first row and column, `leading` those of the other axes,
    `framed` the row and column (within the window) to look at.
    """

    cells: tuple[tuple[float | None, ...], ...]
    top: int
    left: int
    leading: tuple[int, ...]
    framed: tuple[int, int] | None
    shape: tuple[int, ...]

    @property
    def rows(self) -> int:
        """Rows of the window."""
        return len(self.cells)

    @property
    def columns(self) -> int:
        """Columns of the window."""
        return len(self.cells[0])

    @property
    def known(self) -> list[float]:
        """The values that were kept."""
        return [value for row in self.cells for value in row if value is not None]

    @property
    def finite(self) -> list[float]:
        """The values that have a colour."""
        return [value for value in self.known if math.isfinite(value)]

    @property
    def whole(self) -> bool:
        """Whether the window is all of the tensor."""
        return math.prod(self.shape) == self.rows * self.columns

    def named(self) -> str:
        """The window in the notation of an index: `[0, 1, :, 0:32]`."""
        height, width = (1, 1, *self.shape)[-2:]
        axes = [str(i) for i in self.leading]
        if len(self.shape) > 1:
            axes.append(_axis(self.top, self.rows, height))
        axes.append(_axis(self.left, self.columns, width))
        return f"[{', '.join(axes)}]"


def matrix(view: TensorView, worst: tuple[int, ...] | None) -> Matrix | None:
    """The window of a tensor around `worst`, the first one without; None where there is nothing to see."""
    height, width = (1, 1, *view.shape)[-2:]
    if not view.values or 0 in view.shape or any(n < 0 for n in view.shape):
        return None
    known = worst is not None and _inside(worst, view.shape)
    index = worst if worst is not None and known else (0,) * len(view.shape)
    row, column = (0, 0, *index)[-2:]
    top, left = _start(row, height), _start(column, width)
    offset = _flat(index[:-2], view.shape[:-2]) * height * width
    cells = tuple(
        tuple(_value(view, offset + r * width + c) for c in range(left, min(left + SIDE, width)))
        for r in range(top, min(top + SIDE, height))
    )
    if all(value is None for line in cells for value in line):
        return None
    return Matrix(cells, top, left, index[:-2], (row - top, column - left) if known else None, view.shape)


def at(view: TensorView | None, index: tuple[int, ...] | None) -> float | str | None:
    """A tensor's value at an index, where both are known."""
    if view is None or index is None or not _inside(index, view.shape):
        return None
    flat = _flat(index, view.shape)
    return view.values[flat] if flat < len(view.values) else None


def difference(case: Case) -> str | None:
    """`they differ most at [0, 1]: expected 1, yours 0.67`, where both values are known."""
    expected, actual = at(case.expected, case.worst), at(case.actual, case.worst)
    if expected is None or actual is None or case.worst is None:
        return None
    should, does = figures(expected, actual)
    if not case.worst:
        return tr("expected {should}, yours {does}", should=should, does=does)
    return tr(
        "they differ most at {index}: expected {should}, yours {does}",
        index=list(case.worst),
        should=should,
        does=does,
    )


def _value(view: TensorView, flat: int) -> float | None:
    if flat >= len(view.values):
        return None
    value = view.values[flat]
    try:
        return float(value)
    except (ValueError, OverflowError):
        return math.nan


def _inside(index: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    return len(index) == len(shape) and all(0 <= i < n for i, n in zip(index, shape, strict=True))


def _flat(index: tuple[int, ...], shape: tuple[int, ...]) -> int:
    flat = 0
    for i, n in zip(index, shape, strict=True):
        flat = flat * n + i
    return flat


def _start(position: int, length: int) -> int:
    return max(0, min(position - SIDE // 2, length - SIDE))


def _axis(start: int, shown: int, length: int) -> str:
    return ":" if shown == length else f"{start}:{start + shown}"
