"""The order in which a check's draws are taken from those that its strategy gives, so that each one counts.

The simplest comes first. Then come draws whose sizes show the layout, then any; of those that may come next,
the one with most forms that no draw before it had (a mask along other axes, a dtype, an argument that is
absent), then with most sizes. Some forms of masks are rare, and code may know the others alone. Values have
no part in it: they are others under each seed, and the order is the same under all.
"""

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from torch import Tensor

from graders.judging.layout_sizes import shows_layout

Traits = frozenset[tuple[Any, ...]]
CONFIGURATION = ".config."
OF_LIST = 3  # entries of a list that are looked at


def order_draws(draws: Sequence[Any], telling: int, *, with_values: bool) -> list[Any]:
    """The same draws in the order in which they are taken.

    Args:
        draws: from the simplest on.
        telling: how many of those that follow it show the layout, if so many do.
        with_values: whether they hold values of the run. A number that is no part of a configuration may
            be one then, as an id is, and is not looked at.
    """
    forms, sizes = [*map(forms_of, draws)], [sizes_of(draw, with_values) for draw in draws]
    shows = [*map(shows_layout, draws)]
    order, left = [0], list(range(1, len(draws)))

    def count_new(number: int) -> tuple[int, int]:
        old_forms = frozenset().union(*(forms[n] for n in order))
        old_sizes = frozenset().union(*(sizes[n] for n in order))
        return len(forms[number] - old_forms), len(sizes[number] - old_sizes)

    while left:
        of_layout = [number for number in left if shows[number]] if len(order) <= telling else []
        order.append(max(of_layout or left, key=count_new))
        left.remove(order[-1])
    return [draws[number] for number in order]


def forms_of(draw: Any) -> Traits:
    """What is absent in a draw, the types, the numbers of axes, and which of these have the size 1."""
    return frozenset((name, *form) for name, value in _values("", draw) for form in _forms(value))


def sizes_of(draw: Any, with_values: bool) -> Traits:
    """The sizes of all axes of a draw, and its numbers and texts as far as they are no values of the run."""
    parts = [
        (name, value)
        for name, value in _values("", draw)
        if isinstance(value, Tensor) or name.startswith(CONFIGURATION) or not with_values
    ]
    return frozenset((name, *size) for name, value in parts for size in _sizes(value))


def _values(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The parts of a draw, each with the name of where it stands."""
    if is_dataclass(value):
        parts = [(f.name, getattr(value, f.name)) for f in fields(value) if f.name != "seed"]
    elif isinstance(value, dict):
        parts = [*value.items()]
    elif isinstance(value, list | tuple):
        parts = [("", part) for part in value[:OF_LIST]]
    else:
        yield name, value
        return
    for part_name, part in parts:
        yield from _values(f"{name}.{part_name}", part)


def _forms(value: Any) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, Tensor):
        yield (value.dtype,)
        yield "axes", value.dim()
        yield from (("one", axis - value.dim()) for axis, size in enumerate(value.shape) if size == 1)
    elif isinstance(value, bool):
        yield (value,)
    else:
        yield (type(value).__name__,)


def _sizes(value: Any) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, Tensor):
        yield from ((axis - value.dim(), size) for axis, size in enumerate(value.shape))
    elif isinstance(value, int | float | str):
        yield (value,)
