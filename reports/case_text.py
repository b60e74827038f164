"""A case in lines of text: small tensors with their values, written as Python writes them."""

import math
from collections.abc import Callable, Iterable, Iterator

from graders.language import tr
from graders.results.case import Case, TensorView
from reports.figures.slices import difference, value_at
from reports.words import evenly, figure

MOST_WRITTEN = 8  # numbers of a tensor


def input_lines(case: Case) -> list[str]:
    """The inputs: a line for each tensor whose values are written, the others joined between them.

    `Q (2, 3) float32 = [[1.0, -0.5, 2.0], [0.5, 1.5, -1.0]]`, `no mask`.
    """
    lines: list[str] = []
    joined: list[str] = []
    for given in case.inputs:
        values = given.tensor and write_tensor(given.tensor)
        if values is None:
            joined += [given.text] if given.text else []
            continue
        lines += [", ".join(joined)] if joined else []
        lines, joined = [*lines, f"{given.text} = {values}"], []
    return [*lines, *([", ".join(joined)] if joined else [])] if case.inputs else [case.text]


def answer_lines(case: Case) -> Iterator[str]:
    """What is expected and what the student's code returned, where both are small; then where they differ."""
    expected, actual = case.expected, case.actual
    if expected and actual and is_written(expected) and is_written(actual):
        apart = [value_at(view, case.worst) for view in (expected, actual)]
        write = _writer([*expected.values, *actual.values], apart)
        labels = tr("expected:"), tr("yours:")
        for label, view in zip(labels, (expected, actual), strict=True):
            yield f"{label:{max(map(len, labels))}} {write_tensor(view, write)}"
    if differ := difference(case):
        yield differ


def is_written(view: TensorView) -> bool:
    """Whether a tensor is so small that its values are written."""
    return not view.clipped and 0 < len(view.values) == math.prod(view.shape) <= MOST_WRITTEN


def write_tensor(view: TensorView, write: Callable[[float], str] | None = None) -> str | None:
    """The values as nested lists, each in the same format; None for a tensor that is not small."""
    if not is_written(view):
        return None
    if view.dtype.endswith("bool"):
        write = _write_bool
    elif "int" in view.dtype:
        write = _write_int
    return nest([_write(value, write or _writer(view.values)) for value in view.values], view.shape)


def nest(values: list[str], shape: tuple[int, ...]) -> str:
    """Values in row-major order as nested lists."""
    if not shape:
        return values[0]
    step = len(values) // shape[0]
    parts = [nest(values[i * step : (i + 1) * step], shape[1:]) for i in range(shape[0])]
    return f"[{', '.join(parts)}]"


def _writer(
    values: Iterable[float | str], apart: Iterable[float | str | None] = ()
) -> Callable[[float], str]:
    """A function that writes numbers evenly; the two in `apart` differently, where they differ."""
    numbers = [value for value in values if isinstance(value, int | float)]
    return evenly(numbers, [value for value in apart if isinstance(value, int | float)])


def _write(value: float | str, write: Callable[[float], str]) -> str:
    return figure(value) if isinstance(value, str) else write(value)


def _write_bool(value: float) -> str:
    return str(bool(value))


def _write_int(value: float) -> str:
    return str(int(value))
