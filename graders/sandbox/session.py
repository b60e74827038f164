"""Requests to one submission's code: the protocol `Session`, and `BoxSession` for a process of the box."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Any, Protocol, Self

from graders.extraction.extract import Source, to_wire
from graders.results.limit import Limit
from graders.results.result import Outcome
from graders.sandbox.box import Box
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import Limits
from graders.sandbox.own_time import Allowance, TimeBudget
from graders.sandbox.process import Answer, StudentProcess
from graders.sandbox.process_lost import ProcessLost, interference, submission_time
from graders.sandbox.questions import Answers, Parts
from softmark_worker.wire import BadFrame

CUDA_ERROR = "CUDA error"  # how PyTorch's text begins


class Session(Protocol):
    """Sends requests to the process that has loaded one submission's code.

    `printed` is what the code has printed since it was last set to "". `lent` answers what models ask that
    the code was lent.
    """

    printed: str
    lent: Answers | None

    @property
    def limits(self) -> Limits:
        """The time limits on requests; with a box, also the limits on the code."""

    @property
    def level(self) -> IsolationLevel | None:
        """The isolation of the box around the code; None where there is no box."""

    @property
    def asks_together(self) -> bool:
        """Whether `ask_all` is worth trying."""

    def open(self, source: Source) -> dict[str, Any]:
        """Load a source; return what `serve.Room.load` answers."""

    def ask(self, do: str, value: list[Any], seconds: float) -> Answer:
        """The answer to one request."""

    def ask_all(self, requests: list[tuple[str, list[Any]]]) -> list[Answer] | None:
        """The answers to several requests sent as one message; None if they must be sent one by one."""

    def close(self) -> None:
        """Drop all state that requests have left behind."""

    def spent(self, *, exactly: bool) -> float:
        """Seconds of own time so far; at most so many, where a message need not be sent to know."""

    def within(self, seconds: float, used_up: str) -> AbstractContextManager[None]:
        """Inside the block, requests take no more than so many seconds of own time together.

        The next one then raises `ProcessLost` with the sentence `used_up`.
        """

    def use_parts(self, parts: Parts | None) -> bool:
        """From now on have stand-ins for these parts, in a new process; whether that can be done here."""


class BoxSession:
    """A session with a process of the box. After a loss it starts a new one with the same source.

    All its processes together have the time of a submission, or that of a `spending` which other sessions
    share. What a lost process took counts. Without `files`, they can write into none.
    """

    def __init__(self, box: Box, spending: TimeBudget | None = None, *, files: bool = True) -> None:
        self.box = box
        self._files = files
        self.printed = ""
        self.lent: Answers | None = None
        self._child: StudentProcess | None = None
        self._spending = spending or TimeBudget([submission_time(box.limits)])
        self._source: Source | None = None
        self._together = True
        self._parts: Parts | None = None
        self._late_load = False

    @property
    def limits(self) -> Limits:
        """The limits of the box."""
        return self.box.limits

    @property
    def level(self) -> IsolationLevel:
        """The isolation level of the box."""
        return self.box.level

    @property
    def asks_together(self) -> bool:
        """Whether `ask_all` has not failed yet."""
        return self._together

    def open(self, source: Source) -> dict[str, Any]:
        """Load a source, in a new process if there is none; return what `serve.Room.load` answers."""
        self._source = source
        if self._child is None:
            self._fork()
        described = [] if self._parts is None else [self._parts.descriptions]
        limits = self.box.limits
        seconds = min(limits.load_s, limits.call_s) if self._late_load else limits.load_s
        try:
            answer = self._ask("load", [to_wire(source), source.symbol, *described], seconds)
        except ProcessLost as lost:
            self._late_load = self._late_load or lost.outcome is Outcome.TIMED_OUT
            raise
        return answer.value if answer.ok and isinstance(answer.value, dict) else {"kind": "absent"}

    def ask(self, do: str, value: list[Any], seconds: float) -> Answer:
        """Ask the process; after a loss, load the source into a new one first."""
        until = self._spending.tightest.until
        if self.spent(exactly=False) >= until and self.spent(exactly=True) >= until:
            raise ProcessLost(Outcome.TIMED_OUT, self._spending.tightest.before, limit=Limit.TIME)
        if self._child is None and self._source is None:
            self._fork()
        elif self._child is None and self._source is not None:
            self.open(self._source)
        return self._ask(do, value, seconds)

    def ask_all(self, requests: list[tuple[str, list[Any]]]) -> list[Answer] | None:
        """The answers to several requests sent as one message; None if they must be sent one by one.

        After the first failure, batching stays off: requests sent one by one show which of them lost the
        process, took too long or had too large an answer.
        """
        if not self._together:
            return None
        try:
            batch = [list(request) for request in requests]
            answer = self.ask("several", [batch], self.box.limits.later_call_s)
            if answer.ok:
                return _parted(answer.value, len(requests))
        except (ProcessLost, BadFrame):
            pass
        self._together = False
        self.close()
        return None

    @property
    def child(self) -> StudentProcess | None:
        """The process that answers now, if there is one."""
        return self._child

    def spent(self, *, exactly: bool) -> float:
        """Own seconds of all its processes so far; at most so many, unless `exactly` asks the box."""
        if self._child is None:
            return self._spending.lost
        own = self._child.own
        return self._spending.lost + (own.settle() if exactly else own.at_most())

    @contextmanager
    def within(self, seconds: float, used_up: str) -> Iterator[None]:
        """Inside the block, requests take no more than so many seconds of own time together."""
        allowance = Allowance(self.spent(exactly=True) + seconds, used_up, used_up)
        self._spending.allowances.append(allowance)
        try:
            yield
        finally:
            self._spending.allowances.remove(allowance)

    def close(self) -> None:
        """End the process. The next request starts a new one, without any state."""
        if self._child is not None:
            self._child.close()
            self._drop()

    def use_parts(self, parts: Parts | None) -> bool:
        """From now on have stand-ins for these parts, in a new process; whether that can be done here."""
        self.close()
        self._parts = parts
        return self.box.device == "cpu"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _fork(self) -> None:
        self._child = self.box.fork(files=self._files)
        self._child.parts = self._parts
        self._child.seconds_per_byte = self._spending.seconds_per_byte

    def _ask(self, do: str, value: list[Any], seconds: float) -> Answer:
        assert self._child is not None
        child, tightest = self._child, self._spending.tightest
        child.allowance = replace(tightest, until=tightest.until - self._spending.lost)
        child.lent = self.lent
        try:
            answer = child.ask(do, value, seconds)
        except ProcessLost:
            self._drop()
            raise
        finally:
            self.printed += child.take_printed()
        if self.box.device == "cuda" and not answer.ok and CUDA_ERROR in str(answer.value):
            self.close()  # after one such error every further use of the GPU fails in that process
        return answer

    def _drop(self) -> None:
        """Forget the process, which is closed, but not what it took."""
        if self._child is not None:
            self._spending.lost += self._child.own.at_most()
            self._child = None


def _parted(value: Any, count: int) -> list[Answer]:
    if type(value) is not list or len(value) != count:
        raise interference()
    if not all(type(pair) is list and len(pair) == 2 and type(pair[0]) is bool for pair in value):
        raise interference()
    return [Answer(*pair) for pair in value]
