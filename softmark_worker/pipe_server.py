"""A submission's process that is a program of its own: it needs pipes, and no fork, socket or signal.

Requests come on the standard input, replies leave on the standard output, each as a frame of `wire.py`. What
the code prints goes to the standard error output, and so do the lines of this module, which begin with a word
that the host has chosen (the settings have it). Between frames the host may send a frame without a
header, whose body asks how long the process has worked, or where it is. A thread answers that while the code
runs.
"""

import contextlib
import json
import os
import signal
import sys
import threading
import time
from queue import SimpleQueue
from typing import Any

from softmark_worker import answer_requests, framing, limit_process, warm_up, wire
from softmark_worker.pipe_program import ERRORS

READY = b"r"  # what the host reads before any reply

Request = tuple[bytearray, bytearray]


def serve(settings: dict[str, Any], requests_from: int, replies_to: int) -> None:
    """Serve the requests of the host that has started this program.

    Args:
        settings: the host's word, its limits, the device and the libraries.
        requests_from: the descriptor on which requests come.
        replies_to: the descriptor on which replies leave.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the host handles Ctrl-C
    warm_up.warm_up()
    warm_up.import_libraries(settings["libraries"])
    with contextlib.suppress(OSError, ValueError):  # a limit that this system does not let us set
        limit_process.limit(settings["limits"], limit_process.memory_taken(), settings["device"], None)
    say = Says(settings["word"].encode())
    requests: SimpleQueue[Request] = SimpleQueue()
    threading.Thread(target=_read_requests, args=(requests_from, requests, say), daemon=True).start()
    os.write(replies_to, READY)
    count = 0

    def receive() -> tuple[dict[str, Any], Any]:
        return wire.parse(*requests.get(), wire.REQUEST)

    def write(reply: list[wire.Buffer]) -> None:
        nonlocal count
        count += 1
        say("printed", count)  # before the reply, so that the host knows all that was printed before it
        framing.send(reply, lambda pieces: os.write(replies_to, pieces[0]))

    answer_requests.answer_requests(receive, write, settings["device"], settings["limits"]["reply_bytes"])


class Says:
    """Writes a line to the host between what the code prints; once the code has closed that, nothing."""

    def __init__(self, word: bytes) -> None:
        self._word = word
        self._began = time.process_time()

    def __call__(self, what: str, value: Any) -> None:
        """Say one thing."""
        line = b"\0%s %s %s\n" % (self._word, what.encode(), json.dumps(value).encode())
        with contextlib.suppress(OSError):
            os.write(ERRORS, line)

    def answer(self, asked: bytes) -> None:
        """Say what the host has asked for."""
        if asked == b"t":
            self("worked", time.process_time() - self._began)
        else:
            self("where", _where())


def _where() -> list[list[Any]]:
    """Where the thread is that runs the code: file names and lines, innermost first."""
    frame = sys._current_frames().get(threading.main_thread().ident or 0)
    places = []
    while frame is not None:
        places.append([frame.f_code.co_filename, frame.f_lineno])
        frame = frame.f_back
    return places


def _read_requests(descriptor: int, requests: "SimpleQueue[Request]", say: Says) -> None:
    """Hand on each request and answer each question; where the host is gone, end the process."""
    try:
        while True:
            header, body = wire.PREFIX.unpack(_read(descriptor, wire.PREFIX.size))
            frame = _read(descriptor, header), _read(descriptor, body)
            if header:
                requests.put(frame)
            else:
                say.answer(bytes(frame[1]))
    finally:
        os._exit(0)


def _read(descriptor: int, count: int) -> bytearray:
    """So many bytes.

    Raises:
        EOFError: the pipe ends before.
    """
    memory = bytearray(count)
    left = memoryview(memory)
    while left:
        chunk = os.read(descriptor, min(len(left), 1 << 20))
        if not chunk:
            raise EOFError
        left[: len(chunk)] = chunk
        left = left[len(chunk) :]
    return memory
