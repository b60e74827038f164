"""Other programs that want a processor all the time."""

import contextlib
import multiprocessing
import os
from collections.abc import Iterator


def _spin() -> None:
    os.setsid()  # Linux may share the processors by sessions, and all of one would be a single program
    while True:
        pass


@contextlib.contextmanager
def busy_machine(processes: int) -> Iterator[None]:
    """Inside the block, so many processes want a processor all the time."""
    context = multiprocessing.get_context("fork")
    spinning = [context.Process(target=_spin, daemon=True) for _ in range(processes)]
    for process in spinning:
        process.start()
    try:
        yield
    finally:
        for process in spinning:
            process.kill()
            process.join()
