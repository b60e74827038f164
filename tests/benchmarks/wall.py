"""What the wall costs a submission, against a bare fork from an interpreter as warm, in one run.

    .venv/bin/python -m tests.benchmarks.wall [ROUNDS]

The bar: `nested` costs at most 25 ms more than the bare fork (median).
"""

import os
import statistics
import sys
import time
from collections.abc import Callable

import torch  # noqa: F401 (so that the bare fork copies as much as the box's does)

from graders.sandbox.box import Box
from graders.sandbox.isolation.choose_level import try_level
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import Limits

BARE = "bare fork"


def bare() -> None:
    """Fork, hear from the child, wait for its end."""
    reader, writer = os.pipe()
    process = os.fork()
    if process == 0:
        os.write(writer, b"!")
        os._exit(0)
    os.read(reader, 1)
    os.waitpid(process, 0)
    os.close(reader)
    os.close(writer)


def enclosed(box: Box) -> None:
    """Fork behind the wall, hear an answer, end it."""
    with box.fork() as child:
        child.ask("nothing", [], 10)


def main(rounds: int) -> None:
    """Print the median of each way to start, and what it costs beyond the bare fork."""
    boxes = {
        level: try_level(level, Limits())[0]
        for level in (
            IsolationLevel.NESTED,
            IsolationLevel.BOXED,
            IsolationLevel.REDUCED,
            IsolationLevel.OPEN,
        )
    }
    ways: dict[str, Callable[[], None]] = {BARE: bare}
    for level, box in boxes.items():
        if box is not None:
            ways[level] = lambda box=box: enclosed(box)
    spent: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():  # in turn, so that the machine's moods meet all alike
            started = time.perf_counter()
            way()
            spent[name].append(1000 * (time.perf_counter() - started))
    base = statistics.median(spent[BARE])
    for name, times in spent.items():
        median = statistics.median(times)
        print(f"{name:10} {median:7.2f} ms   {median - base:+7.2f} ms")  # noqa: T201
    for box in boxes.values():
        if box is not None:
            box.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
