"""The values of sizes that code fixes, where they have no usual one: the numbers of its parameters tell them.

How many values the reference's matrices have is a sum of products of sizes. Values that make it that of the
code's matrices are tried, since a number of heads shows in no parameter, and words and positions may change
places.
"""

import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from graders.check_api.usual_sizes import UsualSize

LENGTHS = 7  # of the code's parameters that are tried as a size: those that occur most
MOST = 12  # ways to give the sizes values that are tried
HEADS = range(2, 65)  # numbers of heads that are tried; one alone is a mistake with a name
Shapes = Mapping[str, tuple[int, ...]]


@dataclass(frozen=True)
class _Kind:
    """Parameters of one shape: each side is a sum of sizes times numbers; so is how many there are."""

    count: Mapping[str, int]
    sides: tuple[Mapping[str, int], ...]

    def values(self, sizes: Mapping[str, int]) -> int:
        """How many values they have together; those of vectors do not count."""
        sides = [_total(side, sizes) for side in self.sides]
        return _total(self.count, sizes) * math.prod(sides) if max(sides) < math.prod(sides) else 0


def _total(terms: Mapping[str, int], sizes: Mapping[str, int]) -> int:
    return sum(times * sizes.get(name, 1) for name, times in terms.items())


def possible_values(
    unknown: Sequence[UsualSize],
    make: Callable[..., Any],
    config: Mapping[str, Any],
    shapes: Shapes,
    constants: Sequence[int],
) -> list[dict[str, int]]:
    """The values, by argument, of sizes that the code fixes: those that its parameters and numbers allow.

    Args:
        unknown: the sizes.
        make: the reference's class.
        config: in which all sizes differ.
        shapes: those of the code's parameters in this configuration.
        constants: the numbers in its code.
    """
    seen = [size for size in unknown if not size.shared]
    heads = next((size for size in unknown if size.shared), None)
    kinds = _kinds_of(seen, make, config)
    due = sum(math.prod(s) for s in shapes.values() if max(s, default=1) < math.prod(s))
    lengths = Counter(length for shape in shapes.values() for length in shape if length > 1)
    most = [length for length, _ in lengths.most_common(LENGTHS)] or [*HEADS[:LENGTHS]]
    layers = _numbers_of_layers(shapes)
    names = [size.argument for size in seen]
    found: list[dict[str, int]] = []
    for values in itertools.product(*([*layers, *most] if _counts(n, kinds) else most for n in names)):
        sizes = dict(zip(names, values, strict=True))
        known = {**{n: v for n, v in config.items() if type(v) is int}, **sizes}
        if sum(kind.values(known) for kind in kinds) == due:
            found += [sizes | more for more in _with_heads(heads, sizes, constants)]
    return found[:MOST]


def _with_heads(
    heads: UsualSize | None, sizes: Mapping[str, int], constants: Sequence[int]
) -> Iterator[dict[str, int]]:
    """The numbers of heads that the code may have: numbers in it that divide its width."""
    if heads is None:
        yield {}
        return
    numbers = sorted({n for n in constants if n in HEADS})
    yield from ({heads.argument: n} for n in numbers if sizes.get(heads.shared, 0) % n == 0)


def _counts(name: str, kinds: Sequence[_Kind]) -> bool:
    """Whether a size is how many parameters there are: a number of layers."""
    return any(name in kind.count for kind in kinds)


def _numbers_of_layers(shapes: Shapes) -> list[int]:
    """How many equal layers the code may have: how often a name differs by its number alone."""
    patterns = Counter(re.sub(r"\d+", "#", name, count=1) for name in shapes if re.search(r"\d", name))
    return sorted({count for count in patterns.values() if count > 1})


def _kinds_of(sizes: Sequence[UsualSize], make: Callable[..., Any], config: Mapping[str, Any]) -> list[_Kind]:
    """The reference's parameters as sums and products of these sizes: what grows with each is seen."""
    base = _patterns(make, config)
    values = {size.argument: other_value(size, config) for size in sizes}
    grown = {name: (value, _patterns(make, {**config, name: value})) for name, value in values.items()}
    kinds = []
    for pattern, (count, shape) in base.items():
        counts, sides = {"": count}, [{"": length} for length in shape]
        for name, (value, patterns) in grown.items():
            more = value - int(config[name])
            other_count, other_shape = patterns.get(pattern, (count, shape))
            _grow(counts, name, (other_count - count) // more, int(config[name]))
            for side, (before, after) in zip(sides, zip(shape, other_shape, strict=True), strict=True):
                _grow(side, name, (after - before) // more, int(config[name]))
        kinds.append(_Kind(counts, tuple(sides)))
    return kinds


def _grow(terms: dict[str, int], name: str, times: int, value: int) -> None:
    if times:
        terms[name] = times
        terms[""] -= times * value


def _patterns(make: Callable[..., Any], config: Mapping[str, Any]) -> dict[str, tuple[int, tuple[int, ...]]]:
    """How many parameters have a name but for its numbers, and their shape."""
    with torch.device("meta"):
        named = [(re.sub(r"\d+\.", "#.", n), tuple(v.shape)) for n, v in make(**config).named_parameters()]
    counts = Counter(name for name, _ in named)
    return {name: (counts[name], shape) for name, shape in named}


def other_value(size: UsualSize, config: Mapping[str, Any]) -> int:
    """Another value of a size in a configuration, which the reference takes."""
    value = int(config[size.argument])
    if size.shared:
        width = int(config[size.shared])
        return next(n for n in range(2, width + 1) if width % n == 0 and n != value)
    return value + int(config.get(size.sharing, 1))
