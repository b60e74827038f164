"""One implementation in its own process: the host requests calls and reads that process's clock."""

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

SPARE = 4096  # numbers in a pool beyond what one call needs, so that each call starts at another place
BuildModule = Callable[[RemoteCandidate, dict[str, Any]], RemoteModule]


@dataclass(frozen=True)
class CallArguments:
    """Arguments of many calls: windows into a pool of random numbers that student code cannot predict.

    `offsets` has shape (calls, inputs): where in the pool each input of each call starts. `further` are the
    arguments after these.
    """

    pool: Tensor
    offsets: Tensor
    shapes: list[list[Any]]
    further: list[Any]

    def for_request(self, calls: int) -> list[Any]:
        """The arguments of the first calls, in the form of the request to the box."""
        return [self.pool, self.offsets[:calls], self.shapes, self.further]


@dataclass(frozen=True)
class Sample:
    """One request: CPU seconds until the reply, and CPU seconds used between the last reply and it.

    `digests` has a row of numbers for each call, computed in the box from the call's answer.
    """

    seconds: float
    idle: float
    digests: Tensor


def draw_arguments(
    timed: Timed, calls: int, dtype: torch.dtype, *, overlapping: bool = False
) -> CallArguments:
    """Draw new arguments, uniform between -sqrt(3) and sqrt(3), so that their variance is one.

    Args:
        timed: describes a call.
        calls: how many.
        dtype: of the arguments.
        overlapping: whether all inputs begin in the same numbers, at places of their own: a request of long
            calls is a third as large then.
    """
    sizes = [torch.Size(shape).numel() for shape in timed.shapes]
    starts = torch.tensor([0 if overlapping else sum(sizes[:n]) for n in range(len(sizes))])
    generator = torch.Generator()
    generator.seed()  # at random
    numbers = (max(sizes) if overlapping else sum(sizes)) + SPARE
    pool = (torch.rand(numbers, generator=generator, dtype=dtype) - 0.5) * 12**0.5
    offsets = starts + torch.randint(SPARE + 1, (calls, len(sizes)), generator=generator)
    return CallArguments(pool, offsets, [list(shape) for shape in timed.inputs], list(timed.further))


class Contestant:
    """A source loaded into a fresh process. `build_module` makes its module with the common weights.

    Without `files`, the process can write into none.
    """

    def __init__(
        self,
        box: Box,
        source: Source,
        candidate: Callable[[BoxSession, Source], RemoteCandidate],
        build_module: BuildModule,
        threads: int = 1,
        *,
        files: bool = True,
    ) -> None:
        self._session = BoxSession(box, files=files)
        self._candidate = candidate(self._session, source)
        self._build_module = build_module
        self._threads = threads
        self._target: int | None = None
        self._module: RemoteModule | None = None  # held here, else the box frees it
        self._process: StudentProcess | None = None
        self._clock: CpuClock | WallClock | None = None
        self._last_read = 0.0
        self._memory_at_rest = 0

    def load(self) -> None:
        """Load the source into the process and find that process's clock.

        Raises:
            NoClock: the process has no clock that can be read, or the source does not load.
            ProcessLost: loading ended the process.
        """
        self._candidate.load()
        if self._candidate.problem:
            raise NoClock(self._candidate.problem)
        self._process = self._session.child
        assert self._process is not None
        self._clock = find_clock(self._session.box, self._process)
        self._last_read = self._clock.read()

    def build_module(self, config: dict[str, Any] | None) -> None:
        """Make the module that the next calls are made on; with None, a function is called instead."""
        if config is not None:
            self._module = self._build_module(self._candidate, config)
            self._target = self._module.target
        self._read_clock()

    def time_calls(
        self, arguments: list[Any], backward: bool, working: bool = True, keep_memory: bool = True
    ) -> Sample:
        """Request these calls, and read the process's clock before and after.

        Args:
            arguments: of `CallArguments.for_request`.
            backward: whether each call is followed by its backward pass.
            working: with False the request is sent and no call is made.
            keep_memory: whether the process keeps freed memory, from now on.

        Raises:
            Raised: the code raised.
            ProcessLost: the process ended.
            NoClock: the process is no longer the one that was loaded.
        """
        assert self._clock is not None
        before = self._clock.read()
        how = [backward, working, self._threads, keep_memory]
        digests = self._candidate.ask("repeat", [self._target, *arguments, *how])
        after = self._clock.read()
        if self._session.child is not self._process:
            raise NoClock(tr("its process ended while it was timed"))
        rows = arguments[1].shape[0] if working else 0
        if not isinstance(digests, Tensor) or digests.dtype != torch.float64 or digests.shape[:1] != (rows,):
            raise interference()
        idle = before - self._last_read if isinstance(self._clock, CpuClock) else 0.0
        self._last_read = after
        return Sample(after - before, idle, digests)

    def count_operations(self, arguments: list[Any]) -> tuple[int, int]:
        """What a call computes, and the numbers of the largest tensor that it makes, as its process says.

        Raises:
            Raised: the code raised.
            ProcessLost: the process ended, or answered something else.
        """
        counted = self._candidate.ask("count", [self._target, arguments])
        if not isinstance(counted, list) or [type(n) for n in counted] != [int, int]:
            raise interference()
        return counted[0], counted[1]

    def read_idle(self) -> float:
        """CPU seconds that the process has used since its last reply."""
        before = self._last_read
        self._read_clock()
        return self._last_read - before if isinstance(self._clock, CpuClock) else 0.0

    def note_memory_at_rest(self) -> None:
        """Take the memory in use now as what the process needs without a call."""
        assert self._clock is not None
        self._memory_at_rest = self._clock.memory()[0]

    def forget_peak(self) -> None:
        """Start a new measurement of the peak memory."""
        assert self._clock is not None
        self._clock.forget_peak()

    def peak_memory(self) -> int:
        """The most bytes in memory since `forget_peak`, minus those at rest."""
        assert self._clock is not None
        return max(0, self._clock.memory()[1] - self._memory_at_rest)

    def close(self) -> None:
        """End the process."""
        self._session.close()

    def _read_clock(self) -> None:
        assert self._clock is not None
        self._last_read = self._clock.read()
