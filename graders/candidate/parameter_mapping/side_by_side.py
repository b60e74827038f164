"""Matrices that hold two kinds of the reference's side by side, as one layer for an input and a state does.

Such a matrix is cut in two, at the widths of the reference's layers; the search then sees a module in which
each part is a parameter of its own (`CutModule`), and what it finds is joined again. I and H are the widths.
"""

from collections.abc import Mapping, Sequence
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
)
from graders.candidate.parameter_mapping.probe import Probed
from graders.check_api.candidate import Gradients
from graders.language import translatable

SIDE_BY_SIDE = translatable("side by side")


@dataclass(frozen=True)
class Cut:
    """A student's matrix that is cut along an axis, after `first` of its rows or columns."""

    name: str
    axis: int
    first: int

    @property
    def names(self) -> tuple[str, str]:
        """The names of its two parts."""
        return f"{self.name}[first]", f"{self.name}[second]"

    def divide(self, value: Tensor) -> dict[str, Tensor]:
        """The two parts by name."""
        sizes = [self.first, value.shape[self.axis] - self.first]
        return dict(zip(self.names, value.split(sizes, self.axis), strict=True))


def find_cuts(shapes: Shapes, expected: Shapes) -> list[tuple[Cut, ...]]:
    """The ways to cut a student's matrices: those with I + H columns (or rows), after I and after H.

    Args:
        shapes: those of the student's parameters.
        expected: those of the reference's, at a configuration whose sizes all differ.

    Returns:
        two ways, or none where no matrix has such an axis.
    """
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
    for cut in cuts:
        parts = [rules.pop(name, None) for name in cut.names]
        first, second = parts
        if first is None or second is None:
            return None
        sources = (*first.sources, *second.sources)
        layout = Layout(SIDE_BY_SIDE, len(sources), lambda parts, _: torch.cat(list(parts), -1))
        layouts = (first.layout, second.layout)
        joined.append(JoinedRule(cut.name, sources, layout, layouts=layouts, axis=cut.axis))
    return replace(mapping, rules=(*joined, *rules.values()))
