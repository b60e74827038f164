"""The line to a process that a warm interpreter has forked: a socket, and pipes."""

import contextlib
import os
import select
import socket
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any

from graders.language import tr
from graders.results.result import Outcome
from graders.sandbox.isolation.causes import cause_from_report
from graders.sandbox.isolation.cgroups import Group
from graders.sandbox.limits import Limits
from graders.sandbox.line import QUIET_S, WHERE_S, Frame, Late
from graders.sandbox.own_time import OwnTime, RequestTime
from graders.sandbox.printed import PrintedOutput, read_frames
from graders.sandbox.process_lost import ProcessLost, interference, why_it_ended
from graders.sandbox.status_reports import StatusReports
from softmark_worker import wire
from softmark_worker.framing import IncomingFrame, send

END_S = 2.0  # how long a process that closed its channel may take to end
WORKED_S = 5.0  # how long the interpreter may take to say what a process has worked


class NotForked(OSError):
    """The warm interpreter did not start a process; `cause` is what the machine lacks, if reported."""

    def __init__(self, report: Mapping[str, Any]) -> None:
        super().__init__(f"the warm interpreter did not fork: {report.get('failed', 'it said nothing')}")
        self.cause = cause_from_report(report)


class SocketLine:
    """A `Line` over the socket `channel`; `output`, `status` and `kill_pipe` are our ends of pipes."""

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
        self.printed = PrintedOutput(limits)
        self.pid: int | None = None  # in the interpreter's namespace
        self.charge: Callable[[int], None] = lambda _: None
        self._channel = channel
        self._output = output
        self._status = status
        self._reports = StatusReports(status)
        self._kill_pipe: int | None = kill_pipe
        self._limits = limits
        self._group = group
        self._replies = IncomingFrame(wire.PREFIX, wire.REPLY.header, limits.reply_bytes)
        self._asked = select.poll()
        self._asked.register(channel, select.POLLIN)
        # The channel first: poll looks in this order, so with a reply it sees all that was printed before it.
        self._wait = select.poll()
        self._wait.register(channel, select.POLLIN)
        self._wait.register(output, select.POLLIN)

    def await_start(self, seconds: float) -> None:
        """Wait until the warm interpreter reports that it started the process.

        Raises:
            NotForked: the interpreter failed, is gone, or reported nothing within `seconds`.
        """
        report = self._reports.take(seconds) or {}
        if not report.get("forked"):
            raise NotForked(report)
        self.pid = report.get("pid")

    def has_arrived(self) -> bool:
        """Whether bytes arrived before any request was sent; the end of the channel does not count."""
        if not self._asked.poll(0):
            return False
        with contextlib.suppress(OSError):
            return bool(self._channel.recv(1, socket.MSG_PEEK))
        return False

    def exchange(self, request: list[wire.Buffer], time: RequestTime) -> Frame:
        """Send a request and wait for a frame; meanwhile, read what the code prints."""
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
                raise Late
            if self._output in ready:
                self._drain()
            events = ready.get(self._channel.fileno(), 0)
            if events & select.POLLOUT:
                self._send(request)
            if events & ~select.POLLOUT:
                whole = self._receive()
        if request:
            raise interference()  # it replied before it had read the whole request
        return self._replies.take()

    def read_time(self) -> Mapping[str, Any] | None:
        """What the warm interpreter says of the time that the process has taken."""
        if self._kill_pipe is None:
            return None
        with contextlib.suppress(BrokenPipeError):  # the interpreter is gone
            os.write(self._kill_pipe, b"t")
        return self._reports.take(WORKED_S, on_work=True) or None

    def where(self, own: OwnTime) -> list[tuple[str, int]]:
        """Where the process is running, as it prints itself when the warm interpreter signals it."""
        assert self._kill_pipe is not None
        self._drain()
        start = len(self.printed)
        with contextlib.suppress(BrokenPipeError):  # it has just ended
            os.write(self._kill_pipe, b"?")
        answers = select.poll()
        answers.register(self._output, select.POLLIN)
        before = quiet = own.settle()
        while (now := own.settle()) - before < WHERE_S and now - quiet < QUIET_S:
            if answers.poll(1e3 * QUIET_S):
                quiet = now
                if not self._keep_printed():
                    break
        return read_frames(self.printed.cut(start))

    def close(self) -> None:
        """Kill the process and everything that it started."""
        if self._kill_pipe is not None:
            os.close(self._kill_pipe)
            self._kill_pipe = None
            self._channel.close()
            os.close(self._output)
            os.close(self._status)

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
        self.charge(count)
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
        self.printed.add(chunk)
        return bool(chunk)

    def _drain(self) -> None:
        while self._keep_printed():
            pass

    def _explain_end(self) -> ProcessLost:
        """Why the channel closed, from the warm interpreter's report."""
        self._drain()
        report = self._reports.take(END_S)
        if report is None:
            return ProcessLost(Outcome.FAILED, tr("the code closed the grader's channel"))
        lost = why_it_ended(report, self._limits, self._group)
        if "cpu_s" in report:
            lost.times = {"worked": report["cpu_s"], "waited": report["waited"]}
        return lost
