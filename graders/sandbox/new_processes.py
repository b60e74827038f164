"""Programs for submissions, each started ahead and used once: the way without fork, and without a wall.

It needs no more of a system than `subprocess`. A program imports PyTorch before it serves, which takes a
second or two; so from the second on the next one starts while one is in use. This module does not import
PyTorch.
"""

import os
from collections.abc import Sequence

from graders.language import tr
from graders.sandbox.interpreter import BoxBroken, find_gpu_for
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import Limits
from graders.sandbox.program import Program, start_program


class NewProcesses:
    """Starts the programs of a box. A forked process starts its own, and leaves its parent's alone."""

    def __init__(
        self, level: IsolationLevel, limits: Limits, device: str, libraries: Sequence[str] = ()
    ) -> None:
        self.level = level
        self.limits = limits
        self.device = device
        self._libraries = libraries
        self._ahead: Program | None = None
        self._owner = 0
        self._taken = 0

    @property
    def settings(self) -> tuple[IsolationLevel, Limits, str]:
        """What it was made for: a box of other settings needs another one."""
        return self.level, self.limits, self.device

    def start(self) -> None:
        """Start a program without waiting for it.

        Raises:
            BoxBroken: none can be started.
        """
        find_gpu_for(self.device)
        if self._owner != os.getpid():
            self._ahead, self._owner = None, os.getpid()
        if self._ahead is None:
            try:
                self._ahead = start_program(self.limits, self.device, self._libraries)
            except OSError as error:
                reason = error.strerror or str(error)
                raise BoxBroken(tr("cannot start the box: {reason}", reason=reason)) from error

    def take(self) -> Program:
        """A program that has been started for one submission.

        Raises:
            BoxBroken: none can be started.
        """
        self.start()
        assert self._ahead is not None
        program, self._ahead = self._ahead, None
        self._taken += 1
        if self._taken > 1:
            self.start()
        return program

    def close(self) -> None:
        """End the program that waits; in a forked process, leave it to the parent."""
        if self._ahead is not None and self._owner == os.getpid():
            self._ahead.end()
        self._ahead = None
        self._taken = 0
