"""The process of a warm interpreter: a program of its own, or a fork of the template."""

import contextlib
import os
import select
import signal
import subprocess
from typing import Protocol

END_MS = 2_000  # how long a killed interpreter may take to end


class InterpreterProcess(Protocol):
    """What the host knows of the process, and how it ends it.

    Attributes:
        pid: the ancestor of all processes of the box; None as long as the host was not told.
    """

    pid: int | None

    def end(self) -> None:
        """Kill the process and all of its children, and wait until it has ended."""


class InterpreterProgram:
    """A program: Python itself, or bubblewrap, which runs Python in the box."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.pid: int | None = process.pid
        self._process = process

    def end(self) -> None:
        """Kill it and wait."""
        self._process.kill()
        self._process.wait()


class ForkedInterpreter:
    """A fork of the template, in the box that `holder` holds, if there is one.

    The box ends with its holder: that is the first process of its namespace of processes.
    """

    def __init__(self, holder: subprocess.Popen[bytes] | None) -> None:
        self.pid: int | None = None
        self._holder = holder
        self._pidfd: int | None = None

    def identify(self, pid: int, pidfd: int) -> None:
        """The template tells which process it is."""
        self.pid, self._pidfd = pid, pidfd

    def end(self) -> None:
        """Kill it and its box, and wait."""
        if self._holder is not None:
            self._holder.kill()
            self._holder.wait()
            assert self._holder.stdin is not None
            self._holder.stdin.close()
        if self._pidfd is not None:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
            waiting = select.poll()
            waiting.register(self._pidfd, select.POLLIN)
            waiting.poll(END_MS)
            os.close(self._pidfd)
            self._pidfd = None
