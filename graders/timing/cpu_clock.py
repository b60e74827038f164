"""The clock: what CPU time a process in the box has used, read from outside, where it cannot lie.

It runs for all threads together and never stands still while one works, so that neither threads nor work
put off to a better moment make anything faster.
"""

import contextlib
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from graders.language import tr
from graders.sandbox.box import Box
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.process import StudentProcess

PROC = Path("/proc")
_TICK = 1 / os.sysconf("SC_CLK_TCK") if sys.platform == "linux" else 0.01
_SCHEDULED = 2  # CPUCLOCK_SCHED of the kernel: nanoseconds as the scheduler counts them


class NoClock(Exception):
    """The host cannot read such a clock here. A sentence for whoever reads the result."""


@dataclass(frozen=True)
class CpuClock:
    """Reads one process's clock. `kin`: it may start others, whose time counts with its own."""

    pid: int
    kin: bool = False

    def read(self) -> float:
        """CPU seconds used so far.

        Raises:
            NoClock: the process is gone.
        """
        try:
            own = time.clock_gettime(_clock(self.pid))
            return own if not self.kin else own + self._ended() + self._others()
        except OSError as error:
            raise NoClock(tr("its process cannot be watched: {why}", why=error.strerror)) from error

    def memory(self) -> tuple[int, int]:
        """Bytes in memory now, and the most there have ever been."""
        told = _status(self.pid)
        return tuple(1024 * int(told.get(name, "0").split()[0]) for name in ("VmRSS", "VmHWM"))  # type: ignore[return-value]

    def forget_peak(self) -> None:
        """Let the most be what it is now, where the host may say so."""
        with contextlib.suppress(OSError):
            (PROC / str(self.pid) / "clear_refs").write_text("5", encoding="ascii")

    def _ended(self) -> float:
        fields = (PROC / str(self.pid) / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return _TICK * sum(map(int, fields[13:15]))  # cutime and cstime of proc(5)

    def _others(self) -> float:
        found = 0.0
        for pid in below(self.pid):
            with contextlib.suppress(OSError):  # it ended this moment: then the ended ones have it
                found += time.clock_gettime(_clock(pid))
        return found


@dataclass(frozen=True)
class WallClock:
    """Seconds by the host's clock: for a GPU, whose work no process's CPU time tells."""

    def read(self) -> float:
        """Seconds since some moment."""
        return time.perf_counter()

    def memory(self) -> tuple[int, int]:
        """Nothing: a GPU's memory is not the process's."""
        return 0, 0

    def forget_peak(self) -> None:
        """Nothing to forget."""


def find_clock(box: Box, child: StudentProcess) -> CpuClock | WallClock:
    """A clock for a process of the box.

    Raises:
        NoClock: there is none here.
    """
    if box.device == "cuda":
        return WallClock()
    if sys.platform != "linux":
        raise NoClock(tr("only Linux lets the host read another process's CPU time"))
    level = int(box.level.bubblewrapped)
    for pid in below(box.pid):
        numbers = _status(pid).get("NSpid", "").split()
        if len(numbers) > level and numbers[level] == str(child.told):
            found = CpuClock(pid, kin=box.level is IsolationLevel.OPEN)
            found.read()
            return found
    raise NoClock(tr("the student's process cannot be found among those of this machine"))


def below(pid: int) -> list[int]:
    """All processes that descend from `pid`."""
    children: dict[int, list[int]] = {}
    for entry in PROC.iterdir():
        if entry.name.isdigit():
            parent = int(_status(int(entry.name)).get("PPid", "0"))
            children.setdefault(parent, []).append(int(entry.name))
    found: list[int] = []
    left = [pid]
    while left:
        new = children.get(left.pop(), [])
        found += new
        left += new
    return found


def _clock(pid: int) -> int:
    # clock_getcpuclockid(3) of the C library does no more than this.
    return (~pid << 3) | _SCHEDULED


def _status(pid: int) -> dict[str, str]:
    with contextlib.suppress(OSError):
        text = (PROC / str(pid) / "status").read_text(encoding="utf-8", errors="replace")
        pairs = (line.partition(":") for line in text.splitlines())
        return {name: value.strip() for name, _, value in pairs}
    return {}
