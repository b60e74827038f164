"""One implementation in a process of its own, asked for calls while the host reads that process's clock."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from graders.candidate.remote_candidate import RemoteCandidate
from graders.candidate.remote_values import RemoteModule
from graders.check_api.timed_call import Timed
from graders.extraction.extract import Source
from graders.language import tr
from graders.sandbox.box import Box
from graders.sandbox.process import StudentProcess
from graders.sandbox.process_lost import interference
from graders.sandbox.session import BoxSession
from graders.timing.cpu_clock import CpuClock, NoClock, WallClock, find_clock

SPARE = 4096  # numbers in a pool beside what one call needs, so that each call begins elsewhere
Weigh = Callable[[RemoteCandidate, dict[str, Any]], RemoteModule]


@dataclass(frozen=True)
class Work:
    """Calls with arguments of their own: windows into a pool of numbers that nobody can foresee."""

    pool: Tensor
    places: Tensor
    shapes: list[list[int]]

    def first(self, calls: int) -> list[Any]:
        """The first calls, as the box is asked for them."""
        return [self.pool, self.places[:calls], self.shapes]


@dataclass(frozen=True)
class Sample:
    """One request: CPU seconds until the reply, those since the reply before, and what was seen."""

    seconds: float
    idle: float
    seen: Tensor


def work(timed: Timed, calls: int, dtype: torch.dtype) -> Work:
    """New work, of values between -sqrt(3) and sqrt(3), whose variance is one."""
    sizes = [torch.Size(shape).numel() for shape in timed.inputs]
    starts = torch.tensor([sum(sizes[:at]) for at in range(len(sizes))])
    fresh = torch.Generator().manual_seed(torch.seed())
    pool = (torch.rand(sum(sizes) + SPARE, generator=fresh, dtype=dtype) - 0.5) * 12**0.5
    places = starts + torch.randint(SPARE + 1, (calls, len(sizes)), generator=fresh)
    return Work(pool, places, [list(shape) for shape in timed.inputs])


class Contestant:
    """A source loaded into a fresh process. `weigh` makes its module and gives it the common weights."""

    def __init__(
        self,
        box: Box,
        source: Source,
        candidate: Callable[[BoxSession, Source], RemoteCandidate],
        weigh: Weigh,
        threads: int = 1,
    ) -> None:
        self._turn = BoxSession(box)
        self._candidate = candidate(self._turn, source)
        self._weigh = weigh
        self._threads = threads
        self._target: int | None = None
        self._module: RemoteModule | None = None  # kept: the box forgets what nobody here holds
        self._child: StudentProcess | None = None
        self._watch: CpuClock | WallClock | None = None
        self._last = 0.0
        self._least = 0

    def ready(self) -> None:
        """Load the source.

        Raises:
            NoClock: its process cannot be watched, or it does not load.
            Lost: the process did not survive it.
        """
        self._candidate.load()
        if self._candidate.problem:
            raise NoClock(self._candidate.problem)
        self._child = self._turn.child
        assert self._child is not None
        self._watch = find_clock(self._turn.box, self._child)
        self._last = self._watch.read()

    def build(self, config: dict[str, Any] | None) -> None:
        """Make the module that is called from now on; nothing where functions are called."""
        if config is not None:
            self._module = self._weigh(self._candidate, config)
            self._target = self._module.target
        self._settle()

    def take(self, calls: list[Any], backward: bool, working: bool = True) -> Sample:
        """Have it do these calls, and read its clock before and after.

        Raises:
            Raised: the code raised.
            Lost: the process is gone.
            NoClock: the process is another one than before.
        """
        assert self._watch is not None
        before = self._watch.read()
        seen = self._candidate.ask("repeat", [self._target, *calls, backward, working, self._threads])
        after = self._watch.read()
        if self._turn.child is not self._child:
            raise NoClock(tr("its process ended while it was timed"))
        rows = calls[1].shape[0] if working else 0
        if not isinstance(seen, Tensor) or seen.dtype != torch.float64 or seen.shape[:1] != (rows,):
            raise interference()
        idle = before - self._last if isinstance(self._watch, CpuClock) else 0.0
        self._last = after
        return Sample(after - before, idle, seen)

    def idle(self) -> float:
        """What it has used since its last reply."""
        before = self._last
        self._settle()
        return self._last - before if isinstance(self._watch, CpuClock) else 0.0

    def rest(self) -> None:
        """Take what it has in memory now for what it needs without a call."""
        assert self._watch is not None
        self._least = self._watch.memory()[0]

    def forget_peak(self) -> None:
        """Begin to look for the most memory anew."""
        assert self._watch is not None
        self._watch.forget_peak()

    def peak(self) -> int:
        """Bytes in memory at most, beyond those at rest."""
        assert self._watch is not None
        return max(0, self._watch.memory()[1] - self._least)

    def close(self) -> None:
        """End its process."""
        self._turn.close()

    def _settle(self) -> None:
        assert self._watch is not None
        self._last = self._watch.read()
