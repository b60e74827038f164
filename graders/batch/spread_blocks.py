"""Spread small items over processes: many at a time, since to send each alone takes as long as its work."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from graders.batch.process_pool import WorkerDied, spread

FEW = 200  # items for which one process is as fast as several
BLOCK = 50  # items that a process gets at a time

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True)
class _OnBlock(Generic[T, R]):
    work: Callable[[T], R]

    def __call__(self, block: tuple[int, Sequence[T]]) -> list[R]:
        return list(map(self.work, block[1]))


def spread_blocks(items: Sequence[T], work: Callable[[T], R], jobs: int) -> Iterator[R]:
    """Yield the answer of `work` to each item, in the order of the items.

    Args:
        items: pickled, as are the answers, if there are more than a few.
        work: called in one of the processes, or in this one for a few items.
        jobs: how many processes there are at most.

    Raises:
        OSError: a process died.
    """
    if jobs == 1 or len(items) <= FEW:
        yield from map(work, items)
        return
    blocks = [(start, items[start : start + BLOCK]) for start in range(0, len(items), BLOCK)]
    early: dict[int, list[R]] = {}  # answers to blocks before which another is not answered
    next_start = 0
    for (start, _), answers in spread(blocks, _OnBlock(work), jobs):
        if isinstance(answers, WorkerDied):
            raise OSError(str(answers))
        early[start] = answers
        while next_start in early:
            yield from early.pop(next_start)
            next_start += BLOCK
