"""The value that code has for a size which its constructor does not take: the usual one, or its own."""

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

from graders.candidate.remote_candidate import RemoteCandidate
from graders.check_api.check import Raised
from graders.check_api.usual_sizes import UsualSize
from graders.course.exercise import Exercise
from graders.course.reference import reference

LEAST = 2  # a size of which the reference is made: with 1, a matrix would look like a vector
LARGEST = 8192  # a size beyond which nothing is judged


def find_own_size(
    size: UsualSize, exercise: Exercise, candidate: RemoteCandidate, configs: Sequence[Mapping[str, Any]]
) -> UsualSize:
    """The size with the value that the code's matrices show; as it is where they show none.

    The number of values in the reference's matrices grows with the size in equal steps.

    Args:
        size: one that the constructor does not take.
        exercise: the one that it belongs to.
        candidate: it is constructed twice.
        configs: those of draws; the first two in which the usual value differs are used.
    """
    make = reference(exercise.name, exercise.symbol)
    by_usual = {size.usual(config): config for config in reversed(configs)}
    if make is None or len(by_usual) < 2:
        return size
    found: list[tuple[int, int]] = []
    for usual, config in list(by_usual.items())[-2:]:
        with contextlib.suppress(Raised, ValueError):
            smallest, next_one = (
                _count(make(**{**config, size.argument: n}).named_parameters()) for n in (LEAST, LEAST + 1)
            )
            parameters = candidate.construct(**config).parameters()
            steps, rest = divmod(_count(parameters.items()) - smallest, next_one - smallest)
            seen = {length for value in parameters.values() for length in value.shape}
            if rest == 0 and LEAST + steps in seen and steps < LARGEST:
                found.append((usual, LEAST + steps))
    return _as_seen(size, found)


def _as_seen(size: UsualSize, found: Sequence[tuple[int, int]]) -> UsualSize:
    if len(found) < 2 or all(usual == own for usual, own in found):
        return size
    (usual, own), (other_usual, other_own) = found
    if own == other_own:
        return size.always(own)
    return size.times(own, usual) if own * other_usual == other_own * usual else size


def _count(parameters: Any) -> int:
    """The number of values in matrices: biases may be missing."""
    return sum(value.numel() for _, value in parameters if max(value.shape, default=1) < value.numel())
