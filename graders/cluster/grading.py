"""The worker's side of the process that grades for a run: started in its main thread, asked by others."""

import contextlib
import itertools
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import Future
from multiprocessing.connection import Connection
from pathlib import Path

from graders.cluster.message import pack, unpack
from graders.sandbox.isolation.command import PYTHON_FLAGS
from graders.sandbox.isolation.environment import ENVIRONMENT

END_S = 10.0
PROCESS = Path(__file__).with_name("grading_process.py")


class GradingEnded(Exception):
    """The process that grades has ended, or was killed."""


class GradingProcess:
    """A process that grades for one run, any number of submissions at once."""

    def __init__(self, run: bytes, unsafe: bool) -> None:
        """Start it. This must be the main thread: the kernel ends the process with the thread.

        Args:
            run: the settings of the run, as `RunSettings.to_json` gives them.
            unsafe: whether to grade without a box.
        """
        self._folder = tempfile.TemporaryDirectory(prefix="softmark-run-")
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, *PYTHON_FLAGS, str(PROCESS), str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                env=ENVIRONMENT,
                stdin=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C reaches the worker alone, which ends it
            )
        self._socket = ours
        self._channel = Connection(os.dup(ours.fileno()))
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)
        self._asked: dict[int, Future[bytes]] = {0: Future()}
        self._report = self._asked[0]
        self._channel.send_bytes(self._start(unsafe))
        self._channel.send_bytes(run)
        threading.Thread(target=self._read, daemon=True).start()

    def _start(self, unsafe: bool) -> bytes:
        """What the process becomes after its start, which is that of a box."""
        become = {
            "environment": dict(os.environ),
            "path": sys.path,
            "dont_write_bytecode": sys.dont_write_bytecode,
        }
        return json.dumps(become | {"folder": self._folder.name, "unsafe": unsafe}).encode()

    @property
    def has_ended(self) -> bool:
        """Whether it cannot grade any more."""
        return self._process.poll() is not None

    def report(self) -> bytes:
        """What the machine is; waits until the process is ready to grade.

        Raises:
            GradingEnded: the process ended before.
        """
        return self._report.result()

    def grade(self, submission: bytes) -> bytes:
        """The answer to a submission. Called in any thread.

        Raises:
            GradingEnded: the process ended before.
        """
        answer: Future[bytes] = Future()
        with self._lock:
            if self._channel.closed:
                raise GradingEnded
            number = next(self._numbers)
            self._asked[number] = answer
            try:
                self._channel.send_bytes(pack({"number": number}, submission))
            except OSError:
                raise GradingEnded from None
        return answer.result()

    def close(self) -> None:
        """End it, with its slots and their boxes."""
        with contextlib.suppress(OSError):  # the process has ended
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        try:
            self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._folder.cleanup()

    def _read(self) -> None:
        try:
            while True:
                header, body = unpack(self._channel.recv_bytes())
                with self._lock:
                    answer = self._asked.pop(header.get("number", 0))
                answer.set_result(body)
        except (EOFError, OSError):
            with self._lock:
                self._channel.close()
                waiting, self._asked = self._asked, {}
            for answer in waiting.values():
                answer.set_exception(GradingEnded())
