"""The CPU clock of a process in the box, read by the host, so that student code cannot change it.

It counts the CPU time of all threads together, whenever they run: neither more threads nor work that is
postponed to an unmeasured moment makes the code look faster.
"""

import contextlib
import os
import time
from dataclasses import dataclass
from pathlib import Path

from graders.language import tr
from graders.sandbox.box import Box
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.process import StudentProcess

PROC = Path("/proc")
_TICK = 1 / os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 0.01
_SCHEDULED = 2  # CPUCLOCK_SCHED of the kernel: nanoseconds as the scheduler counts them


class NoClock(Exception):
    """The host cannot read a process's CPU clock here. The text is for the reader of the result."""


@dataclass(frozen=True)
class CpuClock:
    """The CPU clock of one process; `with_descendants` adds the time of the processes that it starts."""

    pid: int
    with_descendants: bool = False

    def read(self) -> float:
        """CPU seconds used so far.

        Raises:
            NoClock: the process is gone.
        """
        try:
            own = time.clock_gettime(_clock(self.pid))
            if not self.with_descendants:
                return own
            return own + self._ended_children() + self._live_descendants()
        except OSError as error:
            raise NoClock(tr("its process cannot be watched: {why}", why=error.strerror)) from error

    def memory(self) -> tuple[int, int]:
        """Bytes in memory now, and the peak since the start or since `forget_peak`."""
        status = _status(self.pid)
        return tuple(1024 * int(status.get(name, "0").split()[0]) for name in ("VmRSS", "VmHWM"))  # type: ignore[return-value]

    def forget_peak(self) -> None:
        """Set the peak to the memory in use now, where the host has the right to."""
        with contextlib.suppress(OSError):
            (PROC / str(self.pid) / "clear_refs").write_text("5", encoding="ascii")

    def _ended_children(self) -> float:
        fields = (PROC / str(self.pid) / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return _TICK * sum(map(int, fields[13:15]))  # cutime and cstime of proc(5)

    def _live_descendants(self) -> float:
        seconds = 0.0
        for pid in descendants(self.pid):
            with contextlib.suppress(OSError):  # it has just ended, and `_ended_children` counts it
                seconds += time.clock_gettime(_clock(pid))
        return seconds


@dataclass(frozen=True)
class WallClock:
    """The host's wall clock: for a GPU, whose work does not show in a process's CPU time.

    Also for a program on a system where the host cannot read another process's clock.
    """

    def read(self) -> float:
        """Seconds since a fixed, unspecified moment."""
        return time.perf_counter()

    def memory(self) -> tuple[int, int]:
        """Zeros: the memory of a GPU is not the process's, and elsewhere nobody tells."""
        return 0, 0

    def forget_peak(self) -> None:
        """Do nothing: there is no peak."""


def find_clock(box: Box, child: StudentProcess) -> CpuClock | WallClock:
    """The clock of a process in the box.

    Raises:
        NoClock: the host cannot read one.
    """
    if box.device == "cuda":
        return WallClock()
    if box.level is IsolationLevel.PROCESS:
        assert child.pid is not None
        return CpuClock(child.pid, with_descendants=True) if can_read_clocks() else WallClock()
    require_clocks()
    level = int(box.level.bubblewrapped)
    for pid in descendants(box.pid):
        numbers = _status(pid).get("NSpid", "").split()
        if len(numbers) > level and numbers[level] == str(child.pid):
            clock = CpuClock(pid, with_descendants=not box.level.walled)
            clock.read()
            return clock
    raise NoClock(tr("the student's process cannot be found among those of this machine"))


def can_read_clocks() -> bool:
    """Whether the host can read the clock and the memory of another process: on Linux alone."""
    return (PROC / "self" / "status").exists()


def require_clocks() -> None:
    """Make sure that the host can read them.

    Raises:
        NoClock: it cannot.
    """
    if not can_read_clocks():
        raise NoClock(tr("only Linux lets the host read another process's CPU time"))


def descendants(pid: int) -> list[int]:
    """The ids of all living descendants of `pid`."""
    children: dict[int, list[int]] = {}
    for entry in PROC.iterdir():
        if entry.name.isdigit():
            parent = int(_status(int(entry.name)).get("PPid", "0"))
            children.setdefault(parent, []).append(int(entry.name))
    pids: list[int] = []
    to_visit = [pid]
    while to_visit:
        new = children.get(to_visit.pop(), [])
        pids += new
        to_visit += new
    return pids


def _clock(pid: int) -> int:
    # As clock_getcpuclockid(3) of the C library computes it.
    return (~pid << 3) | _SCHEDULED


def _status(pid: int) -> dict[str, str]:
    with contextlib.suppress(OSError):
        text = (PROC / str(pid) / "status").read_text(encoding="utf-8", errors="replace")
        pairs = (line.partition(":") for line in text.splitlines())
        return {name: value.strip() for name, _, value in pairs}
    return {}
