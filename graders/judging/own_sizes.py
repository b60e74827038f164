"""The value that code has for a size which its constructor does not take: the usual one, or its own."""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from graders.candidate.remote_candidate import RemoteCandidate
from graders.check_api.candidate import Raised
from graders.check_api.usual_sizes import UsualSize

LEAST = 2  # a size of which the reference is made: with 1, a matrix would look like a vector
LARGEST = 8192  # a size beyond which nothing is judged
Values = Mapping[tuple[str, str], tuple[int, int]]  # by the size's argument and the configuration


def values_at_sizes(
    make: Callable[..., Any], sizes: Sequence[UsualSize], configs: Sequence[Mapping[str, Any]]
) -> Values:
    """How many values the reference's matrices have at the two smallest values of each size.

    Args:
        make: the reference's class.
        sizes: those of the exercise.
        configs: those of draws.
    """
    values: dict[tuple[str, str], tuple[int, int]] = {}
    for size in (size for size in sizes if not size.is_bound):
        for _, config in _two(size, configs):
            with contextlib.suppress(ValueError):
                first, second = (
                    _count(make(**{**config, size.argument: n}).named_parameters())
                    for n in (LEAST, LEAST + 1)
                )
                values[size.argument, repr(config)] = first, second
    return values


def find_own_size(
    size: UsualSize, values: Values, candidate: RemoteCandidate, configs: Sequence[Mapping[str, Any]]
) -> UsualSize:
    """The size with the value that the code's matrices show; as it is where they show none.

    The number of values in the reference's matrices grows with the size in equal steps.

    Args:
        size: one that the constructor does not take.
        values: as `values_at_sizes` counts them.
        candidate: it is constructed twice.
        configs: those of draws; the first two in which the usual value differs are used.
    """
    seen_sizes: list[tuple[int, int]] = []
    for usual, config in _two(size, configs):
        if (size.argument, repr(config)) not in values:
            continue
        smallest, next_one = values[size.argument, repr(config)]
        with contextlib.suppress(Raised):
            parameters = candidate.construct(**config).parameters()
            steps, rest = divmod(_count(parameters.items()) - smallest, next_one - smallest)
            seen = {length for value in parameters.values() for length in value.shape}
            if rest == 0 and LEAST + steps in seen and steps < LARGEST:
                seen_sizes.append((usual, LEAST + steps))
    return _as_seen(size, seen_sizes)


def _two(size: UsualSize, configs: Sequence[Mapping[str, Any]]) -> list[tuple[int, Mapping[str, Any]]]:
    """The first two configurations in which the usual value differs, with it; none if there is only one.

    None either for a size that keeps its own value, to which another is fitted. Of a table of segments, which
    usually are two in any configuration, the first two that differ.
    """
    if size.fits or not size.is_usual:
        return []
    by_usual = {size.usual(config): config for config in reversed(configs)}
    if len(by_usual) == 1 and size.ids:
        others = {repr(config): config for config in reversed(configs)}
        return [(usual, config) for usual in by_usual for config in others.values()][-2:]
    return list(by_usual.items())[-2:] if len(by_usual) > 1 else []


def _as_seen(size: UsualSize, seen_sizes: Sequence[tuple[int, int]]) -> UsualSize:
    if len(seen_sizes) < 2 or all(usual == own for usual, own in seen_sizes):
        return size
    (usual, own), (other_usual, other_own) = seen_sizes
    if own == other_own:
        return size.always(own)
    return size.times(own, usual) if own * other_usual == other_own * usual else size


def _count(parameters: Any) -> int:
    """The number of values in matrices: biases may be missing."""
    return sum(value.numel() for _, value in parameters if max(value.shape, default=1) < value.numel())
