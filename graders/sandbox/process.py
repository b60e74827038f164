"""One submission's process, and the only way to talk to it: a request, a reply, a time limit.

If the process dies, hangs, prints too much or breaks the protocol, `ask` raises `ProcessLost` with an
outcome and a sentence for the student. Every wait has a limit, of own time (`own_time.py`).
"""

import contextlib
import os
import re
import select
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any, Self

from graders.language import tr
from graders.results.limit import Limit
from graders.results.result import Outcome
from graders.sandbox.isolation.causes import cause_from_report
from graders.sandbox.isolation.cgroups import Group
from graders.sandbox.limits import Limits, format_size
from graders.sandbox.own_time import OwnTime, RequestTime
from graders.sandbox.process_lost import (
    ProcessLost,
    interference,
    no_answer,
    submission_time,
    why_it_ended,
)
from graders.sandbox.questions import Answers, Parts
from graders.sandbox.status_reports import StatusReports
from graders.worker import wire
from graders.worker.framing import IncomingFrame, Refused, send
from graders.worker.lent_model import QUESTION

END_S = 2.0  # how long a process that closed its channel may take to end
WORKED_S = 5.0  # how long the interpreter may take to say what a process has worked
WHERE_S, QUIET_S = 0.5, 0.1  # own seconds for the traceback of a process, and after its last line
SETTLED_FROM_S = 0.25  # of time that may be own time or waiting: with less, nobody asks at the end
_FRAME = re.compile(r'^  File "(.*)", line (\d{1,7}) in ', re.MULTILINE)  # as faulthandler prints it


@dataclass(frozen=True)
class Answer:
    """A reply: the value, or with `ok` False the description of what the code raised."""

    ok: bool
    value: Any


class NotForked(OSError):
    """The warm interpreter did not start a process; `cause` is what the machine lacks, if reported."""

    def __init__(self, report: Mapping[str, Any]) -> None:
        super().__init__(f"the warm interpreter did not fork: {report.get('failed', 'it said nothing')}")
        self.cause = cause_from_report(report)


class StudentProcess:
    """One submission's process, reached over its channel."""

    def __init__(
        self,
        channel: socket.socket,
        output: int,
        status: int,
        kill_pipe: int,
        limits: Limits,
        group: Group | None = None,
    ) -> None:
        channel.setblocking(False)
        os.set_blocking(output, False)
        self._channel = channel
        self._output = output
        self._status = status
        self._reports = StatusReports(status)
        self._kill_pipe: int | None = kill_pipe
        self._limits = limits
        self._group = group
        self._printed = bytearray()
        self._printed_bytes = 0
        self._lost: ProcessLost | None = None
        self._replies = IncomingFrame(wire.PREFIX, wire.REPLY.header, limits.reply_bytes)
        self._asked = select.poll()
        self._asked.register(channel, select.POLLIN)
        # The channel first: poll looks in this order, so with a reply it sees all that was printed before it.
        self._wait = select.poll()
        self._wait.register(channel, select.POLLIN)
        self._wait.register(output, select.POLLIN)
        self.own = OwnTime(self._read_time)
        self.allowance = submission_time(limits)  # of this process; a session has others
        self.seconds_per_byte = 0.0  # what the host takes to read and judge an answer
        # Nothing may be asked without these.
        self.parts: Parts | None = None
        self.lent: Answers | None = None
        self.pid_in_box: int | None = None  # its process id in the interpreter's namespace

    def await_start(self, seconds: float) -> None:
        """Wait until the warm interpreter reports that it started the process.

        Raises:
            NotForked: the interpreter failed, is gone, or reported nothing within `seconds`.
        """
        report = self._reports.take(seconds) or {}
        if not report.get("forked"):
            raise NotForked(report)
        self.pid_in_box = report.get("pid")

    def ask(self, do: str, value: list[Any], seconds: float) -> Answer:
        """Send one request, wait for its reply for so many seconds of own time.

        Raises:
            ProcessLost: the process ended, ran out of time, printed too much, or broke the protocol.
        """
        if self._lost is not None:
            raise self._lost
        try:
            return self._ask(do, value, RequestTime(self.own, seconds, self.allowance.until))
        except ProcessLost as lost:
            self._lost = lost
            self.close()
            raise
        finally:
            self.own.end()

    def take_printed(self) -> str:
        """What the code printed since the last call of this method, up to the limit `output_kept`."""
        text = self._printed.decode(errors="replace")
        self._printed.clear()
        return text

    def close(self) -> None:
        """Kill the process and everything that it started."""
        if self._kill_pipe is not None:
            if self.own.unsettled() > SETTLED_FROM_S:
                self.own.settle()
            os.close(self._kill_pipe)
            self._kill_pipe = None
            self._channel.close()
            os.close(self._output)
            os.close(self._status)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ask(self, do: str, value: list[Any], time: RequestTime) -> Answer:
        token = os.urandom(16).hex()
        request = wire.request(token, do, value)
        if self._has_arrived():
            raise interference()
        try:
            self._exchange(request, time)
            fields, answer = wire.parse(*self._replies.take(), wire.REPLY)
            while fields.get("id") == token and (asked := self._asked_of(fields.get("ok"))):
                answered = asked.answer(fields["ok"], answer)
                if self._has_arrived():
                    raise interference()
                self._exchange(wire.request(token, "answer", answered), time)
                fields, answer = wire.parse(*self._replies.take(), wire.REPLY)
        except (wire.BadFrame, Refused) as error:
            raise interference() from error
        if fields.keys() != {"id", "ok"} or fields["id"] != token or type(fields["ok"]) is not bool:
            raise interference()
        return Answer(fields["ok"], answer)

    def _asked_of(self, question: Any) -> Answers | None:
        """Who answers a question; None where it is none, or nobody may be asked."""
        if type(question) is not str:
            return None
        return self.lent if question == QUESTION else self.parts

    def _has_arrived(self) -> bool:
        """Whether bytes arrived before any request was sent; the end of the channel does not count."""
        if not self._asked.poll(0):
            return False
        with contextlib.suppress(OSError):
            return bool(self._channel.recv(1, socket.MSG_PEEK))
        return False

    def _exchange(self, request: list[wire.Buffer], time: RequestTime) -> None:
        """Write the request and read one frame; meanwhile, read what the code prints."""
        whole, writing = False, False
        self._send(request)
        while not whole:
            if writing is not bool(request):
                writing = bool(request)
                self._wait.modify(self._channel, select.POLLIN | (select.POLLOUT if writing else 0))
            left = time.until - monotonic()
            # Checked also while bytes arrive: a reply that is sent slowly is late, too.
            ready = dict(self._wait.poll(1e3 * left)) if left > 0 else {}
            if not ready and time.is_over():
                raise self._late(time)
            if self._output in ready:
                self._drain()
            events = ready.get(self._channel.fileno(), 0)
            if events & select.POLLOUT:
                self._send(request)
            if events & ~select.POLLOUT:
                whole = self._receive()
        if request:
            raise interference()  # it replied before it had read the whole request

    def _send(self, request: list[wire.Buffer]) -> None:
        """Send what the socket takes now, and leave the rest in `request`."""
        try:
            send(request, self._channel.sendmsg)
        except BlockingIOError:
            return
        except OSError:  # the process closed its end: the next read finds out why
            request.clear()

    def _receive(self) -> bool:
        """Read what has arrived of the reply; return whether it is complete."""
        try:
            count = self._channel.recv_into(self._replies.space())
        except BlockingIOError:
            return False
        except ConnectionError:
            count = 0
        if not count:
            raise self._explain_end()
        self.own.charge(count * self.seconds_per_byte)
        return self._replies.came(count)

    def _keep_printed(self) -> bool:
        """Read printed bytes; False if none are left."""
        try:
            chunk = os.read(self._output, 1 << 16)
        except BlockingIOError:
            return False
        if not chunk:  # closed: poll would report it for ever
            with contextlib.suppress(KeyError):
                self._wait.unregister(self._output)
        self._printed_bytes += len(chunk)
        self._printed += chunk[: max(0, self._limits.output_kept - len(self._printed))]
        if self._printed_bytes > self._limits.output_bytes:
            raise ProcessLost(
                Outcome.FAILED,
                tr("the code printed more than {most}", most=format_size(self._limits.output_bytes)),
                limit=Limit.OUTPUT,
            )
        return bool(chunk)

    def _where(self) -> list[tuple[str, int]]:
        """Where a process that does not answer is running: file names and lines, innermost first."""
        assert self._kill_pipe is not None
        self._drain()
        start = len(self._printed)
        with contextlib.suppress(BrokenPipeError):  # it has just ended
            os.write(self._kill_pipe, b"?")
        answers = select.poll()
        answers.register(self._output, select.POLLIN)
        before = quiet = self.own.settle()
        while (now := self.own.settle()) - before < WHERE_S and now - quiet < QUIET_S:
            if answers.poll(1e3 * QUIET_S):
                quiet = now
                if not self._keep_printed():
                    break
        text = self._printed[start:].decode(errors="replace")
        del self._printed[start:]
        return [(file, int(line)) for file, line in _FRAME.findall(text)]

    def _late(self, time: RequestTime) -> ProcessLost:
        message = self.allowance.used_up if time.of_all else no_answer(time.seconds)
        return ProcessLost(Outcome.TIMED_OUT, message, frames=self._where(), limit=Limit.TIME)

    def _read_time(self) -> Mapping[str, Any] | None:
        """What the warm interpreter says of the time that the process has taken."""
        if self._kill_pipe is None:
            return None
        with contextlib.suppress(BrokenPipeError):  # the interpreter is gone
            os.write(self._kill_pipe, b"t")
        return self._reports.take(WORKED_S, on_work=True) or None

    def _drain(self) -> None:
        while self._keep_printed():
            pass

    def _explain_end(self) -> ProcessLost:
        """Why the channel closed, from the warm interpreter's report."""
        self._drain()
        report = self._reports.take(END_S)
        if report is None:
            return ProcessLost(Outcome.FAILED, tr("the code closed the grader's channel"))
        if "cpu_s" in report:
            self.own.settle({"worked": report["cpu_s"], "waited": report["waited"]})
        return why_it_ended(report, self._limits, self._group)
