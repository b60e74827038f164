"""The part of a tensor that a heat map shows: a window of the last two axes at the largest difference."""

import math
from dataclasses import dataclass

from graders.language import tr, with_separators
from graders.results.case import Case, TensorView
from reports.words import figures

MAX_SIDE = 32  # rows and columns of a window


@dataclass(frozen=True, kw_only=True)
class Matrix:
    """A window of a tensor: `cells[r][c]` is None where the value was not kept.

    `top` and `left` are the indices of its first row and column, `leading` the indices of the other axes,
    `framed` the row and column within the window where the tensors differ most.
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
    def framed_value(self) -> float | None:
        """The value where the tensors differ most, where that is in the window and was kept."""
        return None if self.framed is None else self.cells[self.framed[0]][self.framed[1]]

    @property
    def known(self) -> list[float]:
        """The values that were kept."""
        return [value for row in self.cells for value in row if value is not None]

    @property
    def finite(self) -> list[float]:
        """The finite values, which have a colour."""
        return [value for value in self.known if math.isfinite(value)]

    @property
    def whole(self) -> bool:
        """Whether the window is the whole tensor."""
        return math.prod(self.shape) == self.rows * self.columns

    def named(self) -> str:
        """The window as an index expression: `[0, 1, :, 0:32]`."""
        height, width = (1, 1, *self.shape)[-2:]
        axes = [str(i) for i in self.leading]
        if len(self.shape) > 1:
            axes.append(_axis(self.top, self.rows, height))
        axes.append(_axis(self.left, self.columns, width))
        return f"[{', '.join(axes)}]"


def choose_window(view: TensorView, worst: tuple[int, ...] | None) -> Matrix | None:
    """The window around `worst`, or the first window; None where no value of it was kept."""
    height, width = (1, 1, *view.shape)[-2:]
    if not view.values or 0 in view.shape or any(n < 0 for n in view.shape):
        return None
    has_worst = worst is not None and _is_inside(worst, view.shape)
    index = worst if worst is not None and has_worst else (0,) * len(view.shape)
    row, column = (0, 0, *index)[-2:]
    top, left = _window_start(row, height), _window_start(column, width)
    offset = _flat_index(index[:-2], view.shape[:-2]) * height * width
    cells = tuple(
        tuple(_value(view, offset + r * width + c) for c in range(left, min(left + MAX_SIDE, width)))
        for r in range(top, min(top + MAX_SIDE, height))
    )
    if all(value is None for line in cells for value in line):
        return None
    return Matrix(
        cells=cells,
        top=top,
        left=left,
        leading=index[:-2],
        framed=(row - top, column - left) if has_worst else None,
        shape=view.shape,
    )


def value_at(view: TensorView | None, index: tuple[int, ...] | None) -> float | str | None:
    """The value at an index; None where the index or the value is not known."""
    if view is None or index is None or not _is_inside(index, view.shape):
        return None
    flat = _flat_index(index, view.shape)
    return view.values[flat] if flat < len(view.values) else None


def difference(case: Case) -> str | None:
    """`they differ most at [0, 1]: expected 1, yours 0.67`, where both values are known."""
    expected, actual = value_at(case.expected, case.worst), value_at(case.actual, case.worst)
    if expected is None or actual is None or case.worst is None:
        return None
    expected_text, actual_text = map(with_separators, figures(expected, actual))
    if not case.worst:
        return tr("expected {should}, yours {does}", should=expected_text, does=actual_text)
    return tr(
        "they differ most at {index}: expected {should}, yours {does}",
        index=list(case.worst),
        should=expected_text,
        does=actual_text,
    )


def _value(view: TensorView, flat: int) -> float | None:
    if flat >= len(view.values):
        return None
    value = view.values[flat]
    try:
        return float(value)
    except (ValueError, OverflowError):
        return math.nan


def _is_inside(index: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    return len(index) == len(shape) and all(0 <= i < n for i, n in zip(index, shape, strict=True))


def _flat_index(index: tuple[int, ...], shape: tuple[int, ...]) -> int:
    flat = 0
    for i, n in zip(index, shape, strict=True):
        flat = flat * n + i
    return flat


def _window_start(position: int, length: int) -> int:
    return max(0, min(position - MAX_SIDE // 2, length - MAX_SIDE))


def _axis(start: int, shown: int, length: int) -> str:
    return ":" if shown == length else f"{start}:{start + shown}"
