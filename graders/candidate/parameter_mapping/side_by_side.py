"""Matrices that hold two kinds of the reference's, side by side or one below the other.

The first is what one layer for an input and a state does, the second one for queries and for fewer keys and
values. Such a matrix is cut in two, at the sizes of the reference's layers; the search then sees a module in
which each part is a parameter of its own (`CutModule`), and what it finds is joined again. Where matrices are
cut between columns, I and H are the widths.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from graders.candidate.parameter_mapping.layouts import Layout
from graders.candidate.parameter_mapping.mapping import (
    JoinedRule,
    ParameterMapping,
    ParameterRule,
    Shapes,
    matches,
)
from graders.candidate.parameter_mapping.patterns import patterns
from graders.candidate.parameter_mapping.probe import Probed
from graders.check_api.candidate import Gradients
from graders.language import translatable

SIDE_BY_SIDE = translatable("side by side")
BELOW = translatable("one below the other")  # as in layouts.py
FIRST, SECOND = "[first]", "[second]"  # behind the names of the parts
MOST_WAYS = 36  # to cut
MOST = 3  # layers of one kind that a matrix holds beside those of another


@dataclass(frozen=True)
class Cut:
    """A student's matrix that is cut along an axis, after `first` of its rows or columns."""

    name: str
    axis: int
    first: int

    @property
    def names(self) -> tuple[str, str]:
        """The names of its two parts."""
        return self.name + FIRST, self.name + SECOND

    def divide(self, value: Tensor) -> dict[str, Tensor]:
        """The two parts by name."""
        sizes = [self.first, value.shape[self.axis] - self.first]
        return dict(zip(self.names, value.split(sizes, self.axis), strict=True))


def find_cuts(shapes: Shapes, expected: Shapes, layers: int = 0) -> list[tuple[Cut, ...]]:
    """The ways to cut a student's matrices: those with I + H columns (or rows), after I and after H.

    Then those with the rows of layers of two kinds that have the same columns, after those of either kind.

    Args:
        shapes: those of the student's parameters.
        expected: those of the reference's, at a configuration whose sizes all differ.
        layers: the number of equal layers, or 0.

    Returns:
        the ways; none where no matrix has such an axis.
    """
    return [*_cuts_of_columns(shapes, expected), *_cuts_of_rows(shapes, expected, layers)]


def _cuts_of_columns(shapes: Shapes, expected: Shapes) -> list[tuple[Cut, ...]]:
    widths = list(dict.fromkeys(shape[-1] for shape in expected.values() if len(shape) == 2))
    if len(widths) != 2:
        return []
    axes = {name: _axis_of(shape, sum(widths)) for name, shape in shapes.items() if len(shape) == 2}
    ways = [
        tuple(Cut(name, axis, width) for name, axis in axes.items() if axis is not None) for width in widths
    ]
    return [way for way in ways if way]


def _axis_of(shape: Sequence[int], size: int) -> int | None:
    return next((axis for axis in (1, 0) if shape[axis] == size), None)


def _cuts_of_rows(shapes: Shapes, expected: Shapes, layers: int) -> list[tuple[Cut, ...]]:
    """The ways for each matrix in all layers at once: of two matrices, one may be cut and the other not."""
    due = list(dict.fromkeys(shape for shape in expected.values() if len(shape) == 2))
    options = {
        pattern: [*found, None]
        for pattern, shape in patterns(shapes, 1, layers).items()
        if len(shape) == 2 and shape not in due and (found := _ways_to_cut(shape, due))
    }
    ways = []
    for way in itertools.islice(itertools.product(*options.values()), MOST_WAYS):
        cut = {pattern: where for pattern, where in zip(options, way, strict=True) if where is not None}
        names = ((name, where) for pattern, where in cut.items() for name in shapes if matches(pattern, name))
        ways.append(tuple(Cut(name, *where) for name, where in names))
    return [way for way in ways if way]


def _ways_to_cut(shape: tuple[int, ...], due: Sequence[tuple[int, ...]]) -> list[tuple[int, int]]:
    """The axes along which a matrix may be cut, and after how many rows or columns: likely ones first.

    The order of the reference's layers, `due`, is likely.
    """
    found = []
    for axis in (0, 1):
        sizes = list(dict.fromkeys(rows for rows, columns in due if columns == shape[1 - axis]))
        found += [(axis, first) for first in _first_parts(sizes, shape[axis])]
    return list(dict.fromkeys(found))


def _first_parts(sizes: Sequence[int], whole: int) -> Iterator[int]:
    """The first parts of the ways in which a size is a sum of two others, each taken a few times."""
    for first, second in itertools.permutations(sizes, 2):
        for a, b in itertools.product(range(1, MOST + 1), repeat=2):
            if a * first + b * second == whole:
                yield a * first


@dataclass(frozen=True)
class CutModule:
    """A student's module, as if each part of a matrix that is cut were a parameter of its own."""

    module: Probed
    cuts: Sequence[Cut]

    def __call__(self, *args: Any) -> Any:
        """The module's answer."""
        return self.module(*args)

    def divide(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Values by the module's names, with the parts of matrices in their place; None stays None."""
        cuts = {cut.name: cut for cut in self.cuts}
        divided: dict[str, Any] = {}
        for name, value in values.items():
            if name not in cuts:
                divided[name] = value
            else:
                cut = cuts[name]
                divided |= dict.fromkeys(cut.names) if value is None else cut.divide(value)
        return divided

    def shapes(self, shapes: Shapes) -> dict[str, tuple[int, ...]]:
        """The shapes of all parameters and parts, from those of the module's parameters."""
        divided = self.divide({name: torch.empty(shape) for name, shape in shapes.items()})
        return {name: tuple(value.shape) for name, value in divided.items()}

    def load(self, parameters: Mapping[str, Tensor]) -> Any:
        """Set parameters and parts by name."""
        values = dict(parameters)
        for cut in self.cuts:
            parts = [values.pop(name) for name in cut.names]
            values[cut.name] = torch.cat(parts, cut.axis)
        return self.module.load(values)

    def gradients(self, *args: Any, upstream: Sequence[Tensor | None]) -> Gradients:
        """The module's gradients, those of a matrix in parts."""
        gradients = self.module.gradients(*args, upstream=upstream)
        return replace(gradients, parameters=self.divide(gradients.parameters))


def join_parts(mapping: ParameterMapping, cuts: Sequence[Cut]) -> ParameterMapping | None:
    """The mapping of the module's own parameters; None where a part holds nothing of the reference's."""
    rules = {rule.name: rule for rule in mapping.rules}
    joined: list[ParameterRule] = []
    left = {cut.name for cut in cuts}
    for name in [name.removesuffix(FIRST) for name in rules if name.endswith(FIRST)]:
        first, second = rules.pop(name + FIRST), rules.pop(name + SECOND, None)
        of_name = [cut for cut in cuts if matches(name, cut.name)]
        if second is None or not of_name:
            return None
        left -= {cut.name for cut in of_name}
        sources = (*first.sources, *second.sources)
        says = BELOW if _is_below(first, of_name[0]) else SIDE_BY_SIDE
        layout = Layout(says, len(sources), lambda parts, _: torch.cat(list(parts), -1))
        layouts = (first.layout, second.layout)
        joined.append(JoinedRule(name, sources, layout, layouts=layouts, axis=of_name[0].axis))
    if left or any(name.endswith(SECOND) for name in rules):
        return None
    return replace(mapping, rules=(*joined, *rules.values()))


def _is_below(part: ParameterRule, cut: Cut) -> bool:
    """Whether the parts lie one below the other, and not side by side: rows are outputs, as in nn.Linear."""
    return (cut.axis == 0) is not part.layout.transposed
