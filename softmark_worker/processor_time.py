"""How long a process has worked, and how long it was ready to work and waited for a processor.

Both are the kernel's, and a process cannot falsify them.
"""

import contextlib
import os
import time

SCHEDULED = 2  # the kind of a process's clock that counts the time in which it ran: CPUCLOCK_SCHED of Linux


def read_times(process: int) -> dict[str, float | None]:
    """Both, as fields of a report."""
    return {"worked": cpu_seconds(process), "waited": waiting_seconds(process)}


def cpu_seconds(process: int) -> float:
    """CPU seconds of all threads of a process; 0 if it is gone."""
    with contextlib.suppress(OSError):
        return round(time.clock_gettime(~process << 3 | SCHEDULED), 4)
    return 0.0


def waiting_seconds(process: int) -> float | None:
    """Seconds that the thread waited that has waited longest; None where the kernel does not say.

    Not the sum of all threads: many of them that start at once wait for one another.
    """
    tasks = f"/proc/{process}/task"
    try:
        longest = _read(f"{tasks}/{process}/schedstat")
        threads = os.listdir(tasks)  # noqa: PTH208 (pathlib is not worth its import here)
    except (OSError, ValueError):
        return None
    for thread in threads:
        with contextlib.suppress(OSError, ValueError):  # it has ended meanwhile
            longest = max(longest, _read(f"{tasks}/{thread}/schedstat"))
    return longest


def _read(path: str) -> float:
    """The seconds of a thread in the run queue.

    Raises:
        OSError, ValueError: the kernel does not count them.
    """
    with open(path, "rb") as file:  # noqa: PTH123 (as above)
        _, nanoseconds, turns = map(int, file.read().split())
    if not turns:
        raise ValueError("all are zero where the kernel keeps the file and counts nothing")
    return round(nanoseconds / 1e9, 4)
