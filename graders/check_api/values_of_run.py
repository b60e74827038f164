"""The values of one run's draws: other numbers under each seed, in sizes that are always the same."""

import contextlib
import zlib
from collections.abc import Iterator

LARGEST_SEED = 2**16


class ValuesOfRun:
    """The values of one run: which they are, and whether a strategy has asked for any."""

    def __init__(self, number: int) -> None:
        self.number, self.asked = number, False


_of_run: list[ValuesOfRun | None] = [None]  # whose values are drawn; None for those that Hypothesis draws


@contextlib.contextmanager
def values_of_run(number: int) -> Iterator[ValuesOfRun]:
    """Until the end of the block, seeds for values follow from `number` too."""
    before, _of_run[0] = _of_run[0], (values := ValuesOfRun(number))
    try:
        yield values
    finally:
        _of_run[0] = before


def seed_in_run(seed: int) -> int:
    """The seed that a run has in the place of one that Hypothesis draws."""
    values = _of_run[0]
    if values is None:
        return seed
    values.asked = True
    return zlib.crc32(f"{values.number} {seed}".encode()) % LARGEST_SEED
