"""Tables with more rows than are asked for: one for padding, a third segment, words up to a multiple of 64.

The rows that are due lie first, or behind the further ones, as where positions are counted from 2. The search
sees the module without the further rows (`CutModule`), which are zero; the number of parameters tells them.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from graders.candidate.parameter_mapping.layouts import Layout
from graders.candidate.parameter_mapping.mapping import ParameterMapping, ParameterRule, Shape, Shapes
from graders.candidate.parameter_mapping.side_by_side import FIRST, SECOND, Cut, CutModule
from graders.check_api.candidate import Gradients
from graders.language import translatable

TABLE = "embedding"  # in the names of the reference's tables
FIRST_ROWS = translatable("its first rows")
LAST_ROWS = translatable("its last rows")
MOST_WAYS = 48  # in which further rows are left out


@dataclass(frozen=True)
class TableRule(ParameterRule):
    """What a table holds that has more rows: the reference's are its first or its last ones."""

    at_end: bool = False

    def fitted(self, value: Tensor, shape: Shape) -> Tensor:
        """The table of this shape, zero in the further rows."""
        if value.dim() != len(shape) or value.shape[1:] != shape[1:] or len(value) > shape[0]:
            return value
        more = value.new_zeros(shape[0] - len(value), *shape[1:])
        return torch.cat([more, value] if self.at_end else [value, more])


@dataclass(frozen=True)
class ShortTables:
    """A student's module, as if its tables had no further rows."""

    cut: CutModule
    unused: Mapping[str, Shape]

    def __call__(self, *args: Any) -> Any:
        """The module's answer."""
        return self.cut(*args)

    def shapes(self, shapes: Shapes) -> dict[str, Shape]:
        """The shapes of all parameters but further rows."""
        return {name: shape for name, shape in self.cut.shapes(shapes).items() if name not in self.unused}

    def load(self, parameters: Mapping[str, Tensor]) -> Any:
        """Set the parameters by name, and further rows to zero."""
        dtype = next((value.dtype for value in parameters.values()), torch.float64)
        zeros = {name: torch.zeros(shape, dtype=dtype) for name, shape in self.unused.items()}
        return self.cut.load({**parameters, **zeros})

    def gradients(self, *args: Any, upstream: Sequence[Tensor | None]) -> Gradients:
        """The module's gradients, without those of further rows."""
        gradients = self.cut.gradients(*args, upstream=upstream)
        kept = {name: value for name, value in gradients.parameters.items() if name not in self.unused}
        return replace(gradients, parameters=kept)


def short_tables(module: Any, shapes: Shapes, expected: Shapes) -> Iterator[ShortTables]:
    """The module without further rows of tables, in each way in which it has as many values as are due.

    Args:
        module: the student's.
        shapes: those of its parameters.
        expected: those of the reference's, at a configuration whose sizes differ.
    """
    due = set(expected.values())
    tables = {s for name, s in expected.items() if TABLE in name and len(s) == 2}
    longer = {name: s for name, s in shapes.items() if len(s) == 2 and s not in due}
    options = [
        [
            (name, t[0], at_end)
            for t in sorted(tables)
            if t[1] == s[1] and t[0] < s[0]
            for at_end in (False, True)
        ]
        + [None]
        for name, s in longer.items()
    ]
    for way in itertools.islice(itertools.product(*options), MOST_WAYS):
        chosen = [one for one in way if one is not None]
        short = {**shapes, **{name: (rows, shapes[name][1]) for name, rows, _ in chosen}}
        if chosen and _values(short) == _values(expected):
            cuts = [Cut(name, 0, shapes[name][0] - rows if at_end else rows) for name, rows, at_end in chosen]
            ends = {name: FIRST if at_end else SECOND for name, _, at_end in chosen}
            cut = CutModule(module, cuts)
            all_shapes = cut.shapes(shapes)
            yield ShortTables(cut, {n + end: all_shapes[n + end] for n, end in ends.items()})


def with_tables(mapping: ParameterMapping, tables: ShortTables) -> ParameterMapping:
    """The mapping of the module's own parameters."""
    ends = {
        name.removesuffix(end): end for name in tables.unused for end in (FIRST, SECOND) if name.endswith(end)
    }
    return replace(mapping, rules=tuple(_whole(rule, ends) for rule in mapping.rules))


def _whole(rule: ParameterRule, ends: Mapping[str, str]) -> ParameterRule:
    name = rule.name.removesuffix(FIRST).removesuffix(SECOND)
    if name == rule.name:
        return rule
    at_end = ends[name] == FIRST
    layout = Layout(LAST_ROWS if at_end else FIRST_ROWS, rule.layout.count, rule.layout.make)
    return TableRule(name, rule.sources, layout, at_end=at_end)


def _values(shapes: Shapes) -> int:
    """How many values matrices have: biases may be missing."""
    return sum(shape[0] * shape[1] for shape in shapes.values() if len(shape) == 2)
