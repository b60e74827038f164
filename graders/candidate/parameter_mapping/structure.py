"""Which classes of the reference's parameters a student's parameters can hold, by shapes alone.

A class is all parameters of the reference that have one shape and are of one kind (matrix, gain of a norm, or
bias), inside the layers or outside. Which member of its class a parameter holds is left to `roles.py`.
"""

import math
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from enum import Enum, auto

import torch

from graders.candidate.parameter_mapping.layouts import LAYOUTS, Layout
from graders.candidate.parameter_mapping.mapping import HEAD, LAYER, Shape, Shapes, matches
from graders.candidate.parameter_mapping.names import is_bias, says_bias
from graders.candidate.parameter_mapping.patterns import patterns

MOST_STEPS = 20_000  # parameters that are matched with a class at most, dead ends included
OF_HEADS = 3  # parts that the fused layer of one head has at most
# Layouts whose first axis is the heads: only these can be a list of one parameter per head.
_HEADS_FIRST = (
    "head by head",
    "head by head, transposed",
    "head by head from its columns",
    "head by head from its columns, transposed",
    "head by head, one below the other",
    "head by head, one below the other, transposed",
)


class Kind(Enum):
    """What a parameter of the reference is."""

    MATRIX = auto()
    GAIN = auto()
    BIAS = auto()


@dataclass(frozen=True)
class RoleClass:
    """The class of a parameter of the reference; `layered`: one in each of the equal layers."""

    layered: bool
    kind: Kind
    shape: Shape


@dataclass(frozen=True)
class Holder:
    """A parameter of the student's (a pattern) that holds `count` members of a class, in one of `layouts`."""

    name: str
    held: RoleClass
    count: int
    layouts: tuple[Layout, ...]


@dataclass(frozen=True)
class Structure:
    """A class for each of the student's parameters.

    `extra` are those that hold nothing of the reference's; `ones` are those of them that are gains of norms,
    `foreign` those that are matrices.
    """

    holders: tuple[Holder, ...]
    extra: tuple[str, ...] = ()
    ones: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()


def roles_of(expected: Shapes, layers: int) -> dict[str, RoleClass]:
    """The class of each parameter of the reference, by pattern."""
    return {
        name: RoleClass(LAYER in name, _kind(name, shape), shape)
        for name, shape in patterns(expected, 1, layers).items()
    }


def structures(
    actual: Shapes,
    gains: Set[str],
    roles: Mapping[str, RoleClass],
    heads: int,
    layers: int,
    foreign: bool = False,
) -> Iterator[Structure]:
    """Every way in which the student's parameters hold all of the reference's matrices and gains.

    Biases may be missing, and vectors may be too many.

    Args:
        actual: the shapes of the student's parameters, at a configuration whose sizes are all different.
        gains: the names of those that are the gains of norms.
        roles: see `roles_of`.
        heads: H, or 1 where there are none.
        layers: the number of equal layers, or 0.
        foreign: whether matrices may be too many, too: those of layers that the reference does not have.
    """
    classes = dict.fromkeys(roles.values())

    def options(name: str, shape: Shape, gain: bool) -> list[Holder]:
        return [h for c in classes for h in _options(name, shape, c, heads) if gain is (c.kind is Kind.GAIN)]

    def fits(name: str, shape: Shape) -> bool:
        return any(options(name, shape, gain) for gain in (False, True))

    theirs = patterns(actual, heads, layers, fits)
    gain_patterns = {pattern for pattern in theirs if any(matches(pattern, name) for name in gains)}
    wanted = {c: sum(r == c for r in roles.values()) for c in classes if c.kind is not Kind.BIAS}
    too_many = len(gain_patterns) > sum(n for c, n in wanted.items() if c.kind is Kind.GAIN)
    norms = {_module(name) for name in gain_patterns} - {""}
    choices: list[list[Holder | str]] = []
    for name, shape in theirs.items():
        possible: list[Holder | str] = [*options(name, shape, name in gain_patterns)]
        of_norm = name in gain_patterns or (says_bias(name) and _module(name) in norms)
        may_be_extra = not possible or (too_many and of_norm)
        is_vector = len(shape) == 1 or name in gain_patterns
        is_foreign = foreign and len(shape) > 1 and name not in gain_patterns
        may_be_left = is_foreign or (may_be_extra and (says_bias(name) or is_vector))
        choices.append(possible + [name] * may_be_left)
    if all(choices):
        for structure in _complete(sorted(choices, key=len), wanted, (), [MOST_STEPS]):
            ones = tuple(name for name in structure.extra if name in gain_patterns)
            matrices = tuple(n for n in structure.extra if len(theirs[n]) > 1 and n not in gain_patterns)
            if not _splits_a_norm(structure, ones):
                yield replace(structure, ones=ones, foreign=matrices)


def _splits_a_norm(structure: Structure, ones: Sequence[str]) -> bool:
    """Whether the gain of a norm holds nothing of the reference's, but the bias beside it does."""
    norms = {_module(name) for name in ones} - {""}
    return any(says_bias(h.name) and _module(h.name) in norms for h in structure.holders)


def _module(name: str) -> str:
    return name.rpartition(".")[0]


def _complete(
    choices: list[list[Holder | str]],
    left: Mapping[RoleClass, int],
    done: tuple[Holder | str, ...],
    steps: list[int],
) -> Iterator[Structure]:
    """Every choice for each parameter by which all matrices and gains that are left are held, each once."""
    if not choices:
        if not any(left.values()):
            holders = tuple(h for h in done if isinstance(h, Holder))
            yield Structure(holders, tuple(h for h in done if isinstance(h, str)))
        return
    for choice in choices[0]:
        steps[0] -= 1
        if steps[0] < 0:
            return
        after = dict(left)
        if isinstance(choice, Holder) and choice.held in after:
            after[choice.held] -= choice.count
            if after[choice.held] < 0:
                continue
        yield from _complete(choices[1:], after, (*done, choice), steps)


def _options(name: str, shape: Shape, held: RoleClass, heads: int) -> Iterator[Holder]:
    if held.layered is not (LAYER in name) or (says_bias(name) and held.kind is not Kind.BIAS):
        return
    for count, layouts in LAYOUTS.items():
        if count * math.prod(held.shape) != math.prod(shape):
            continue
        if count > 1 and (held.kind is Kind.GAIN or (HEAD in name and count > OF_HEADS)):
            continue
        parts = [torch.empty(held.shape)] * count
        fitting = tuple(
            layout
            for layout in layouts
            if (HEAD not in name or layout.description in _HEADS_FIRST) and layout.fits(parts, heads, shape)
        )
        if fitting:
            yield Holder(name, held, count, fitting)


def _kind(name: str, shape: Shape) -> Kind:
    if len(shape) != 1:
        return Kind.MATRIX
    return Kind.BIAS if is_bias(name, shape) else Kind.GAIN
