"""One submission's process, and the only way to talk to it: a request, a reply, a time limit.

If the process dies, hangs, prints too much or breaks the protocol, `ask` raises `ProcessLost` with an
outcome and a sentence for the student. Every wait has a limit, of own time (`own_time.py`).
"""

import os
from dataclasses import dataclass
from typing import Any, Self

from graders.results.limit import Limit
from graders.results.result import Outcome
from graders.sandbox.limits import Limits
from graders.sandbox.line import Late, Line
from graders.sandbox.own_time import OwnTime, RequestTime
from graders.sandbox.process_lost import ProcessLost, interference, no_answer, submission_time
from graders.sandbox.questions import Answers, Parts
from softmark_worker import wire
from softmark_worker.framing import Refused
from softmark_worker.lent_model import QUESTION

SETTLED_FROM_S = 0.25  # of time that may be own time or waiting: with less, nobody asks at the end


@dataclass(frozen=True)
class Answer:
    """A reply: the value, or with `ok` False the description of what the code raised."""

    ok: bool
    value: Any


class StudentProcess:
    """One submission's process, reached over a line."""

    def __init__(self, line: Line, limits: Limits) -> None:
        self._line = line
        self._closed = False
        self._lost: ProcessLost | None = None
        self.own = OwnTime(line.read_time)
        self.allowance = submission_time(limits)  # of this process; a session has others
        self.seconds_per_byte = 0.0  # what the host takes to read and judge an answer
        # Nothing may be asked without these.
        self.parts: Parts | None = None
        self.lent: Answers | None = None
        line.charge = self._charge

    @property
    def pid(self) -> int | None:
        """Its process id, in the namespace of the warm interpreter if one has forked it."""
        return self._line.pid

    def ask(self, do: str, value: list[Any], seconds: float) -> Answer:
        """Send one request, wait for its reply for so many seconds of own time.

        Raises:
            ProcessLost: the process ended, ran out of time, printed too much, or broke the protocol.
        """
        if self._lost is not None:
            raise self._lost
        time = RequestTime(self.own, seconds, self.allowance.until)
        try:
            try:
                return self._ask(do, value, time)
            except Late:
                raise self._late(time) from None
        except ProcessLost as lost:
            if lost.times is not None:
                self.own.settle(lost.times)
            self._lost = lost
            self.close()
            raise
        finally:
            self.own.end()

    def take_printed(self) -> str:
        """What the code printed since the last call of this method, up to the limit `output_kept`."""
        return self._line.printed.take()

    def close(self) -> None:
        """Kill the process and everything that it started."""
        if not self._closed:
            if self.own.unsettled() > SETTLED_FROM_S:
                self.own.settle()
            self._closed = True
            self._line.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ask(self, do: str, value: list[Any], time: RequestTime) -> Answer:
        line, token = self._line, os.urandom(16).hex()
        request = wire.request(token, do, value)
        if line.has_arrived():
            raise interference()
        try:
            fields, answer = wire.parse(*line.exchange(request, time), wire.REPLY)
            while fields.get("id") == token and (asked := self._asked_of(fields.get("ok"))):
                answered = asked.answer(fields["ok"], answer)
                if line.has_arrived():
                    raise interference()
                request = wire.request(token, "answer", answered)
                fields, answer = wire.parse(*line.exchange(request, time), wire.REPLY)
        except (wire.BadFrame, Refused) as error:
            raise interference() from error
        if fields.keys() != {"id", "ok"} or fields["id"] != token or type(fields["ok"]) is not bool:
            raise interference()
        return Answer(fields["ok"], answer)

    def _late(self, time: RequestTime) -> ProcessLost:
        message = self.allowance.used_up if time.of_all else no_answer(time.seconds)
        return ProcessLost(Outcome.TIMED_OUT, message, frames=self._line.where(self.own), limit=Limit.TIME)

    def _asked_of(self, question: Any) -> Answers | None:
        """Who answers a question; None where it is none, or nobody may be asked."""
        if type(question) is not str:
            return None
        return self.lent if question == QUESTION else self.parts

    def _charge(self, count: int) -> None:
        self.own.charge(count * self.seconds_per_byte)
