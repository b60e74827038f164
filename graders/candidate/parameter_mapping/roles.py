"""Which member of its class each of the student's parameters holds, by comparing gradients.

Where the module is right, a gradient equals that of its role up to rounding, and the assignment of least cost
is exact. Where it is wrong, the most similar gradients are paired; names then weigh as much as numbers do.
"""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from graders.candidate.parameter_mapping.assignment import assign
from graders.candidate.parameter_mapping.layouts import Layout
from graders.candidate.parameter_mapping.mapping import ParameterMapping, ParameterRule
from graders.candidate.parameter_mapping.names import name_of_layer, similarity
from graders.candidate.parameter_mapping.probe import Probe
from graders.candidate.parameter_mapping.structure import Holder, Kind, RoleClass, Structure

NOTHING = 1e-9  # a gradient below this share of the largest is none
ONE_SIDED = 1.5  # the cost where only one of two parameters has a gradient
OTHER_LAYER = 0.3  # the cost of a bias whose layer's matrix holds another layer's
OTHER_LAYOUT = 0.02  # the cost of a bias in another layout than its layer's matrix


@dataclass(frozen=True)
class CostedMapping:
    """A mapping, and what it costs: near 0 where every gradient is that of its role."""

    mapping: ParameterMapping
    cost: float


@dataclass(frozen=True)
class _Slot:
    """The place of one of the reference's parameters in one of the student's."""

    holder: Holder
    number: int
    costs: Mapping[str, float]  # by role


@dataclass(frozen=True)
class _Comparison:
    """The student's gradients against a model's, on the same probes."""

    theirs: Sequence[Probe]
    ours: Sequence[Probe]
    heads: int
    names_weigh: float

    @cached_property
    def _norms(self) -> list[dict[str, float]]:
        """The norm of each gradient in each of our probes; 0 where there is none."""
        return [{name: _norm(gradient) for name, gradient in probe.gradients.items()} for probe in self.ours]

    def slots(self, holder: Holder, layout: Layout, roles: Sequence[str]) -> list[_Slot]:
        """The slots of a holder in this layout, with the cost of each role in each."""
        pieces = [self._take_apart(holder, layout, probe) for probe in self.theirs]
        slots = []
        for number in range(holder.count):
            gradients = [None if parts is None else parts[number] for parts in pieces]
            costs = {
                role: self._distance(gradients, role) + self.names_weigh * (1 - similarity(holder.name, role))
                for role in roles
            }
            slots.append(_Slot(holder, number, costs))
        return slots

    def _take_apart(self, holder: Holder, layout: Layout, probe: Probe) -> list[Tensor] | None:
        gradient = probe.gradients.get(holder.name)
        if gradient is None:
            return None
        by_layer = [layout.take_apart(layer, holder.held.shape, self.heads) for layer in gradient]
        return [torch.stack(parts) for parts in zip(*by_layer, strict=True)]

    def _distance(self, gradients: Sequence[Tensor | None], role: str) -> float:
        total = 0.0
        for mine, probe, norms in zip(gradients, self.ours, self._norms, strict=True):
            largest = max(norms.values(), default=0.0)
            total += _distance(mine, probe.gradients.get(role), norms.get(role, 0.0), largest)
        return total / max(len(self.ours), 1)


def match_roles(
    structure: Structure,
    roles: Mapping[str, RoleClass],
    theirs: Sequence[Probe],
    ours: Sequence[Probe],
    layouts: Mapping[str, Sequence[Layout]],
    heads: int,
    names_weigh: float,
) -> CostedMapping:
    """The mapping by which the student's gradients are most similar to a model's.

    Args:
        structure: what the student's parameters can hold.
        roles: the classes of the model's parameters, by pattern.
        theirs: probes of the student's module.
        ours: those of the model, on the same draws.
        layouts: those that are possible for each of the student's parameters under these probes.
        heads: H.
        names_weigh: the cost of a name that has nothing in common with the role's.
    """
    comparison = _Comparison(theirs, ours, heads, names_weigh)
    rules: dict[str, ParameterRule] = {}
    cost = 0.0
    ordered = sorted(structure.holders, key=lambda holder: holder.held.kind is Kind.BIAS)
    for held in dict.fromkeys(holder.held for holder in ordered):
        members = [role for role, its_class in roles.items() if its_class == held]
        slots: list[_Slot] = []
        chosen: dict[str, Layout] = {}
        for holder in (h for h in ordered if h.held == held):
            partner = _partner(holder, rules)
            options = [
                (_prefer_partner(comparison.slots(holder, layout, members), partner), layout)
                for layout in layouts[holder.name]
            ]
            costs = [_least(s) + _layout_cost(layout, partner) for s, layout in options]
            best = costs.index(min(costs))
            chosen[holder.name] = options[best][1]
            slots += options[best][0]
        pairs = assign([[slot.costs[role] for role in members] for slot in slots])
        cost += sum(slots[row].costs[members[column]] for row, column in pairs.items())
        sources = {(slots[r].holder.name, slots[r].number): members[c] for r, c in pairs.items()}
        for name, layout in chosen.items():
            held_here = [role for (holder_name, _), role in sorted(sources.items()) if holder_name == name]
            if len(held_here) == layout.count:
                rules[name] = ParameterRule(name, tuple(held_here), layout)
    return CostedMapping(_mapping(structure, roles, rules), cost)


def _mapping(
    structure: Structure, roles: Mapping[str, RoleClass], rules: Mapping[str, ParameterRule]
) -> ParameterMapping:
    used = {source for rule in rules.values() for source in rule.sources}
    absent = tuple(role for role in roles if role not in used)
    extra = (*structure.extra, *(h.name for h in structure.holders if h.name not in rules))
    return ParameterMapping(tuple(rules.values()), absent, extra, structure.ones, structure.foreign)


def _partner(holder: Holder, rules: Mapping[str, ParameterRule]) -> ParameterRule | None:
    """The rule of the matrix or gain that is in the same layer of the student's."""
    if holder.held.kind is not Kind.BIAS:
        return None
    layer = name_of_layer(holder.name)
    return next((rule for name, rule in rules.items() if name_of_layer(name) == layer), None)


def _prefer_partner(slots: list[_Slot], partner: ParameterRule | None) -> list[_Slot]:
    if partner is None or len(partner.sources) != len(slots):
        return slots
    preferred = []
    for slot, source in zip(slots, partner.sources, strict=True):
        layer = name_of_layer(source)
        costs = {
            role: cost + (0.0 if name_of_layer(role) == layer else OTHER_LAYER)
            for role, cost in slot.costs.items()
        }
        preferred.append(_Slot(slot.holder, slot.number, costs))
    return preferred


def _layout_cost(layout: Layout, partner: ParameterRule | None) -> float:
    if partner is None:
        return 0.0
    same = partner.layout.description.removesuffix(", transposed") == layout.description
    return 0.0 if same else OTHER_LAYOUT


def _least(slots: Sequence[_Slot]) -> float:
    """The least cost of different roles in the slots of one holder."""
    roles = list(slots[0].costs)
    if len(slots) == 1:
        return min(slots[0].costs.values())
    if len(slots) > len(roles):
        return math.inf
    pairs = assign([[slot.costs[role] for role in roles] for slot in slots])
    return sum(slots[row].costs[roles[column]] for row, column in pairs.items())


def _distance(mine: Tensor | None, ours: Tensor | None, norm: float, largest: float) -> float:
    """How unlike two gradients are: 0 for equal ones, about 1 for unrelated ones, 2 for opposite ones.

    Args:
        mine: the student's.
        ours: the model's.
        norm: that of ours.
        largest: the norm of the model's largest gradient.
    """
    sizes = [_norm(mine), norm]
    none = [size <= NOTHING * largest for size in sizes]
    if any(none):
        return 0.0 if all(none) else ONE_SIDED
    assert mine is not None and ours is not None
    cosine = float((mine * ours).sum()) / (sizes[0] * sizes[1])
    return 1 - cosine + 0.1 * min(abs(math.log(sizes[0] / sizes[1])), 5)


def _norm(gradient: Tensor | None) -> float:
    return 0.0 if gradient is None else float(gradient.norm())


def group_layouts(
    structure: Structure, values: Mapping[RoleClass, Tensor], heads: int
) -> dict[str, list[list[Layout]]]:
    """For each of the student's parameters, its layouts grouped: those of a group give it the same value."""
    groups: dict[str, list[list[Layout]]] = {}
    for holder in structure.holders:
        by_value: dict[bytes, list[Layout]] = {}
        for layout in holder.layouts:
            made = layout.make([values[holder.held]] * holder.count, heads).contiguous()
            by_value.setdefault(made.numpy().tobytes(), []).append(layout)
        groups[holder.name] = list(by_value.values())
    return groups


def choices_of_layouts(
    groups: Mapping[str, list[list[Layout]]], most: int
) -> list[dict[str, Sequence[Layout]]]:
    """At most `most` choices of a group for each parameter; first those in which all choose alike."""
    names = list(groups)
    counts = [len(groups[name]) for name in names]
    alike = (tuple(min(n, count - 1) for count in counts) for n in range(max(counts, default=0)))
    mixed = itertools.product(*map(range, counts))
    numbers_of_groups = list(dict.fromkeys(itertools.islice(itertools.chain(alike, mixed), 2 * most)))
    return [
        {name: groups[name][number] for name, number in zip(names, numbers, strict=True)}
        for numbers in numbers_of_groups[:most]
    ]
