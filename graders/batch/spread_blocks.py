"""Spread small items over processes: many at a time, since to send each alone takes as long as its work."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Generic, TypeVar

from graders.batch.process_pool import WorkerDied, spread
from graders.batch.read_ahead import read_ahead

FEW = 200  # items of which one process reads all as fast as several
LARGEST = 50  # items that a process gets at a time
ROUNDS = 20  # blocks that each process gets at least, so that all end at the same time

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True)
class _OnBlock(Generic[T, R]):
    work: Callable[[T], R]
    reads: Callable[[T], Iterable[Path]]

    def __call__(self, block: tuple[int, Sequence[T]]) -> list[R]:
        read_ahead(chain.from_iterable(map(self.reads, block[1])))
        return list(map(self.work, block[1]))


def _reads_nothing(_: object) -> Iterable[Path]:
    return ()


def spread_blocks(
    items: Sequence[T],
    work: Callable[[T], R],
    jobs: int,
    few: int | None = None,
    reads: Callable[[T], Iterable[Path]] = _reads_nothing,
) -> Iterator[tuple[T, R | WorkerDied]]:
    """Yield each item with the answer of `work`, in the order of the items.

    Where a process dies, each item of its block is tried again alone, so that one is to blame.

    Args:
        items: pickled, as are the answers, if there are more than a few.
        work: called in one of the processes, or in this one for a few items.
        jobs: how many processes there are at most.
        few: up to so many items need no process of their own; `FEW` by default.
        reads: the files that the work on an item reads: the disk begins with those of a whole block.
    """
    if jobs == 1 or len(items) <= (FEW if few is None else few):
        for item in items:
            yield item, work(item)
        return
    size = max(1, min(LARGEST, len(items) // (jobs * ROUNDS)))
    blocks = [(start, items[start : start + size]) for start in range(0, len(items), size)]
    early: dict[int, list[R | WorkerDied]] = {}  # answers that wait for those of an earlier block
    due = 0
    for (start, block), answers in spread(blocks, _OnBlock(work, reads), jobs):
        early[start] = _try_alone(block, work) if isinstance(answers, WorkerDied) else [*answers]
        while due in early:
            yield from zip(items[due : due + size], early.pop(due), strict=True)
            due += size


def spread_reading(paths: Sequence[Path], read: Callable[[Path], R], jobs: int) -> Iterator[R]:
    """Yield what `read` answers to each file, in their order.

    Raises:
        OSError: a process died.
    """
    for _, answer in spread_blocks(paths, read, jobs, reads=lambda path: (path,)):
        if isinstance(answer, WorkerDied):
            raise OSError(str(answer))
        yield answer


def _try_alone(block: Sequence[T], work: Callable[[T], R]) -> list[R | WorkerDied]:
    return [answer for item in block for _, answer in spread([item], work, 1)]
