"""Own time: the seconds that code takes on an idle machine. All time limits count it.

It is what the clock on the wall says, without the time in which the process was ready to work and waited for
a processor, or this process did, to read its answer. So code that sleeps is charged for its sleep, and no
code for the other programs of a busy machine. It is never less than the CPU time, nor than a tenth of the
time on the wall. All is read from the kernel, outside of the process.

To read it costs a message to the warm interpreter. Without one, the time is known as a bound: what the
requests have taken. That is enough until the bound reaches a limit.
"""

import contextlib
import os
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

SLOWEST = 10.0  # seconds on the wall for one second of own time, at most; more where more programs run
SECOND_PER_BYTE = (
    7.5e-9  # measured with answers of 48 MB; not the clock, so that verdicts do not depend on it
)
ALMOST = 0.01  # of a request's time: so much is not waited for


class OwnTime:
    """The own time of one process.

    Args:
        read: asks the kernel, by the warm interpreter; None where it does not answer.
    """

    def __init__(self, read: Callable[[], Mapping[str, Any] | None]) -> None:
        self._read = read
        self._settled = 0.0  # own seconds up to the last reading
        self._clock = self._wall = 0.0  # seconds of requests since then
        self._began: tuple[float, float] | None = None
        self._worked = self._waited = 0.0  # at the last reading

    def begin(self) -> None:
        """From now on the process has a request to answer."""
        self._began = host_clock(), time.monotonic()

    def end(self) -> None:
        """The request is answered, or will not be."""
        if self._began is not None:
            clock, wall = self._began
            self._clock += host_clock() - clock
            self._wall += time.monotonic() - wall
            self._began = None

    def charge(self, seconds: float) -> None:
        """Count seconds more: what the process makes the host do."""
        self._settled += seconds

    def at_most(self) -> float:
        """The own time so far, or more than it: no message is sent."""
        return self._settled + self._clock + (host_clock() - self._began[0] if self._began else 0.0)

    def unsettled(self) -> float:
        """The part of `at_most` that may be waiting."""
        return self.at_most() - self._settled

    def settle(self, report: Mapping[str, Any] | None = None) -> float:
        """The own time so far, read from the kernel, or from the last report on a process that has ended."""
        report = report or self._read()
        asked = self._began is not None
        self.end()
        if report is None:
            self._settled += self._clock
        else:
            self._settled += self._own(float(report["worked"]), report["waited"])
        self._clock = self._wall = 0.0
        if asked:
            self.begin()
        return self._settled

    def _own(self, worked: float, waited: float | None) -> float:
        """Own seconds since the last reading; both arguments are since the process began."""
        own = max(worked - self._worked, self._wall / slowest())
        self._worked = worked
        if waited is not None:
            # A thread that has ended takes its wait along.
            own = max(own, self._clock - max(0.0, waited - self._waited))
            self._waited = waited
        return own


@dataclass(frozen=True)
class Allowance:
    """A bound on what is spent: up to `until` own seconds since the start of the `TimeBudget`.

    `used_up` says that it is used up, `before` that it was before a request.
    """

    until: float
    used_up: str
    before: str


@dataclass
class TimeBudget:
    """The own time of a submission's processes, one after another, and the bounds on it."""

    allowances: list[Allowance]
    seconds_per_byte: float = SECOND_PER_BYTE  # of answers, which the host must read and judge
    lost: float = 0.0  # of the processes that are closed

    @property
    def tightest(self) -> Allowance:
        """The bound that is reached first."""
        return min(self.allowances, key=lambda allowance: allowance.until)


class RequestTime:
    """The time of one request: over when it has taken `seconds`, or the process more than `most` in all.

    `until` is when to look next, on the monotonic clock.
    """

    def __init__(self, own: OwnTime, seconds: float, most: float) -> None:
        self.seconds = seconds
        self.of_all = False  # whether it is over because of `most`
        self._own, self._most = own, most
        self._from = own.at_most()
        own.begin()
        self.until = time.monotonic() + min(seconds, most - self._from)

    def is_over(self) -> bool:
        """Whether it is over, as the kernel says; if not, it may go on until a new `until`."""
        own = self._own.settle()
        left = min(self.seconds - (own - self._from), self._most - own, self.seconds)
        self.of_all = self._most - own <= left
        self.until = time.monotonic() + left
        return left < ALMOST * self.seconds


def slowest() -> float:
    """Seconds on the wall that count as a second of own time, whatever the kernel says."""
    return SLOWEST * crowding()


def crowding() -> float:
    """How many programs share a processor of the machine, on average over a minute; 1 at least."""
    try:
        load = os.getloadavg()[0]
    except (AttributeError, OSError):  # Windows counts no load
        load = 0.0
    return max(1.0, load / (os.cpu_count() or 1))


class Patience:
    """Counts down the seconds after which something counts as hung: on a full machine, each lasts longer."""

    def __init__(self, seconds: float) -> None:
        self._left = seconds
        self._looked = time.monotonic()

    def is_over(self) -> bool:
        """Whether they are over. Ask often: the time since the last look counts as it is crowded now."""
        now = time.monotonic()
        self._left -= (now - self._looked) / crowding()
        self._looked = now
        return self._left < 0


def host_clock() -> float:
    """Seconds that pass, without those in which this thread waited for a processor."""
    now = time.monotonic()
    descriptor = _schedstat(os.getpid(), threading.get_ident())
    if descriptor is not None:
        with contextlib.suppress(OSError, IndexError, ValueError):
            now -= int(os.pread(descriptor, 64, 0).split()[1]) / 1e9
    return now


@cache
def _schedstat(process: int, thread: int) -> int | None:  # noqa: ARG001 - a forked process opens its own
    """The descriptor of this thread's time in the run queue; None where the kernel does not count it."""
    try:
        return os.open("/proc/thread-self/schedstat", os.O_RDONLY)
    except OSError:
        return None
