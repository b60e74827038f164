"""The line to a process that is a program of its own: three pipes, read by threads, which every system has.

The host waits for events of one queue: what arrived of a reply, what the code printed, and what
`softmark_worker/pipe_server.py` says of the process between the lines that the code prints.
"""

import contextlib
import os
import queue
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Mapping
from time import monotonic
from typing import IO, Any

from graders.language import tr
from graders.results.result import Outcome
from graders.sandbox.limits import Limits
from graders.sandbox.line import Frame, Late
from graders.sandbox.own_time import OwnTime, RequestTime
from graders.sandbox.printed import PrintedOutput
from graders.sandbox.process_lost import ProcessLost, interference, why_it_ended
from graders.sandbox.program import Program
from graders.sandbox.said_between import OutputSplitter
from softmark_worker import processor_time, wire
from softmark_worker.framing import IncomingFrame, Refused, send

READY = b"r"
CHUNK = 1 << 16  # bytes that are read at once
EVENTS = 256  # that nobody has taken yet: a process that never ceases to write must wait
END_S = 2.0  # how long a process that closed its line may take to end
PRINTED_S = 0.3  # how long what was printed before a reply may take to arrive after it
WORD_S = 0.5  # how long the process may take to say what it has worked
WHERE_S = 1.0  # and where it is


class PipeLine:
    """A `Line` to a program that serves one submission."""

    def __init__(self, program: Program, limits: Limits) -> None:
        process = program.process
        self.printed = PrintedOutput(limits)
        self.pid: int | None = process.pid
        self.charge: Callable[[int], None] = lambda _: None
        self._program = program
        self._process = process
        self._limits = limits
        self._replies = IncomingFrame(wire.PREFIX, wire.REPLY.header, limits.reply_bytes)
        self._events: queue.Queue[tuple[str, Any]] = queue.Queue(EVENTS)
        self._chunks: deque[bytes] = deque()  # of replies, not looked at yet
        self._said: dict[str, Any] = {}
        self._exchanged = 0
        self._prints = True
        self._from: Mapping[str, float | None] = {}  # what the kernel had counted when it was ready
        self._requests: queue.SimpleQueue[list[wire.Buffer] | None] = queue.SimpleQueue()
        self._written = threading.Event()
        self._threads = [
            threading.Thread(target=work, args=arguments, daemon=True)
            for work, *arguments in (
                (self._read_replies, process.stdout),
                (self._read_printed, process.stderr, program.word),
                (self._write, process.stdin),
            )
        ]
        for thread in self._threads:
            thread.start()

    def await_ready(self, seconds: float) -> str | None:
        """Wait until the process serves; what it printed where it does not.

        Raises:
            TimeoutError: it does not in so many seconds.
        """
        until = monotonic() + seconds
        while not self._chunks:
            if not self._take_event(until - monotonic()):
                raise TimeoutError
        if self._chunks.popleft() != READY:
            self._await_printed_end()
            return self.printed.take()
        self.printed.take()
        self._from = _kernel_times(self._process.pid) or {}
        return None

    def has_arrived(self) -> bool:
        """Whether bytes arrived that nobody has asked for."""
        while self._take_event(0):
            pass
        return any(self._chunks)

    def exchange(self, request: list[wire.Buffer], time: RequestTime) -> Frame:
        """Send a request and wait for a frame; meanwhile, keep what the code prints."""
        self._written.clear()
        self._requests.put(request)
        whole = False
        while not whole:
            left = time.until - monotonic()
            # Looked at also while bytes arrive: a reply that is sent slowly is late, too.
            arrived = bool(self._chunks) or self._take_event(left)
            if (left <= 0 or not arrived) and time.is_over():
                raise Late
            if self._chunks:
                whole = self._receive(self._chunks.popleft())
        if not self._written.wait(WORD_S):
            raise interference()  # it replied before it had read the whole request
        self._exchanged += 1
        if self._prints:  # no longer where the code has put something else into that pipe's place
            self._prints = self._await("printed", PRINTED_S, lambda n: n is None or n >= self._exchanged)
        return self._replies.take()

    def read_time(self) -> Mapping[str, Any] | None:
        """The kernel's word on the time; where the host cannot read it, that of the process itself."""
        kernel = _kernel_times(self._process.pid)
        if kernel is not None:
            return {name: _since(value, self._from.get(name)) for name, value in kernel.items()}
        worked = self._ask("t", "worked", WORD_S)
        return {"worked": worked, "waited": None} if isinstance(worked, float) else None

    def where(self, own: OwnTime) -> list[tuple[str, int]]:  # noqa: ARG002 - part of the protocol
        """Where the process says that it is."""
        places = self._ask("?", "where", WHERE_S)
        with contextlib.suppress(TypeError, ValueError):
            return [(str(file), int(line)) for file, line in places]
        return []

    def close(self) -> None:
        """Kill the process, and those of its own that are still in its group."""
        self._program.kill()
        self._requests.put(None)
        until = monotonic() + END_S
        while any(thread.is_alive() for thread in self._threads) and monotonic() < until:
            while self._take_event(0.01):  # a thread may be waiting for room
                pass
        pipes = (self._process.stdout, self._process.stderr, self._process.stdin)
        for thread, pipe in zip(self._threads, pipes, strict=True):
            if not thread.is_alive() and pipe is not None:  # else a process that it started has it open
                pipe.close()

    def _ask(self, what: str, answer: str, seconds: float) -> Any:
        """What the process says of itself; None where it says nothing in time."""
        self._said.pop(answer, None)
        self._requests.put([wire.PREFIX.pack(0, 1) + what.encode()])
        self._await(answer, seconds, lambda _: True)
        return self._said.pop(answer, None)

    def _await(self, name: str, seconds: float, is_it: Callable[[Any], bool]) -> bool:
        """Wait until the process has said something; whether it has."""
        until = monotonic() + seconds
        with contextlib.suppress(ProcessLost):  # it printed too much: the next event says so again
            while not (name in self._said and is_it(self._said[name])):
                if not self._take_event(until - monotonic()):
                    return False
        return True

    def _take_event(self, seconds: float) -> bool:
        """Wait for an event and take it in; False if there is none in time."""
        try:
            kind, value = self._events.get(timeout=seconds) if seconds > 0 else self._events.get_nowait()
        except queue.Empty:
            return False
        if kind == "reply":
            self._chunks.append(value)
        elif kind == "printed":
            self.printed.add(value)
        elif kind == "said":
            self._said.update(value)
        return True

    def _receive(self, chunk: bytes) -> bool:
        """Take in what has arrived of a reply; return whether it is complete."""
        if not chunk:
            raise self._explain_end()
        self.charge(len(chunk))
        left, whole = memoryview(chunk), False
        while left:
            if whole:
                raise Refused("something follows the frame")
            space = self._replies.space()
            count = min(len(space), len(left))
            space[:count] = left[:count]
            left = left[count:]
            whole = self._replies.came(count)
        return whole

    def _explain_end(self) -> ProcessLost:
        try:
            code = self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            return ProcessLost(Outcome.FAILED, tr("the code closed the grader's channel"))
        self._await_printed_end()
        return why_it_ended({"exit": code}, self._limits, None)

    def _await_printed_end(self) -> None:
        self._await("printed", PRINTED_S, lambda count: count is None)

    def _read_replies(self, pipe: IO[bytes]) -> None:
        while chunk := _read(pipe):
            self._events.put(("reply", chunk))
        self._events.put(("reply", b""))

    def _read_printed(self, pipe: IO[bytes], word: str) -> None:
        between = OutputSplitter(word)
        while chunk := _read(pipe):
            for event in between.parse(chunk):
                self._events.put(event)
        for event in between.end():
            self._events.put(event)
        self._events.put(("said", {"printed": None}))

    def _write(self, pipe: IO[bytes]) -> None:
        descriptor = pipe.fileno()
        while (request := self._requests.get()) is not None:
            with contextlib.suppress(OSError):  # the process has closed its end: reading finds out why
                send(request, lambda pieces: os.write(descriptor, pieces[0]))
            self._written.set()


def _read(pipe: IO[bytes]) -> bytes:
    try:
        return os.read(pipe.fileno(), CHUNK)
    except OSError:
        return b""


def _kernel_times(process: int) -> Mapping[str, float | None] | None:
    """What the kernel counts of a process; None where the host cannot read it, as on macOS and Windows."""
    if processor_time.waiting_seconds(process) is None:
        return None
    return processor_time.read_times(process)


def _since(value: float | None, before: float | None) -> float | None:
    return None if value is None else value - (before or 0.0)
