"""The width of a head where code fixes it: it is right where the model has so many columns for each head.

The heads of its attention all have 64 columns, say: they project to another width than the model's, or there
are as many of them as fit into that. A number in the code is the width of a head if the code's matrices then
have as many values as the reference's.
"""

import contextlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch

from graders.candidate.parameter_mapping.mapping import Shape
from graders.check_api.candidate import Raised
from graders.check_api.usual_sizes import UsualSize, at_usual_sizes
from graders.judging.judge import Judge
from graders.judging.usual_sizes import is_absent, is_ignored
from graders.results.result import Finding

WIDTHS = range(2, 129)  # of a head, that are tried
MOST = 8  # of them
Holds = Callable[[dict[UsualSize, Finding]], bool]


def find_width_of_heads(
    free: Judge, found: Mapping[str, Finding], fixed: Sequence[UsualSize], holds: Holds
) -> dict[UsualSize, Finding]:
    """The model's width as a multiple of its heads, if the code is right there; {} where it is not.

    Args:
        free: the judge whose draws have any sizes.
        found: the findings of all checks by name.
        fixed: the sizes that the code fixes, at their values.
        holds: whether a core check holds at such sizes.
    """
    for width in free.exercise.options.sizes:
        if width.sharing and width.check in found and not is_absent(width, free.candidate):
            for size in _possible(free, width, fixed):
                if holds({size: found[width.check]}):
                    return {size: found[width.check]}
    return {}


def _possible(free: Judge, width: UsualSize, fixed: Sequence[UsualSize]) -> Iterator[UsualSize]:
    """The width for each width of a head that the code may have."""
    make, draw = free.draws.reference_of(free.exercise), free.draws.diagnostic_draws(free.exercise)[0]
    numbers = sorted(n for n in free.candidate.source.constants if n in WIDTHS)
    if make is None or not numbers or not {width.argument, width.sharing} <= draw.config.keys():
        return
    usual = at_usual_sizes(draw, fixed)
    if _is_as_due(free, make, usual.config) and not _ignores_heads(free, width, usual):
        return
    sizes = [width.per_head(number) for number in numbers[:MOST]]
    yield from (s for s in sizes if _is_as_due(free, make, at_usual_sizes(draw, [*fixed, s]).config))


def _ignores_heads(free: Judge, width: UsualSize, draw: Any) -> bool:
    heads = [size for size in free.exercise.options.sizes if size.argument == width.sharing]
    return any(is_absent(size, free.candidate) or is_ignored(size, free.candidate, draw) for size in heads)


def _is_as_due(free: Judge, make: Callable[..., Any], config: Mapping[str, Any]) -> bool:
    """Whether the code's matrices have as many values as the reference's."""
    with contextlib.suppress(Raised), torch.device("meta"):
        due = {name: tuple(value.shape) for name, value in make(**config).named_parameters()}
        return _count(free.candidate.construct(**config).shapes()) == _count(due)
    return False


def _count(shapes: Mapping[str, Shape]) -> int:
    """How many values matrices have: biases may be missing."""
    return sum(math.prod(s) for s in shapes.values() if max(s, default=1) < math.prod(s))
