"""The box: a warm interpreter, which is a fork server: it forks one isolated process per submission.

At the level `process` there is none: each process is a program of its own.

    with Box(level) as box, box.fork() as child:
        answer = child.ask("call", [None, [x], {}], seconds=5)

No process sees anything of an earlier one.
"""

import os
import socket
import time
from collections.abc import Sequence
from typing import Self

from graders.language import tr
from graders.sandbox.interpreter import CONTROL_S, START_S, BoxBroken, Interpreter
from graders.sandbox.isolation import cgroups
from graders.sandbox.isolation.causes import describe_failure
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import Limits
from graders.sandbox.new_processes import NewProcesses
from graders.sandbox.pipe_line import PipeLine
from graders.sandbox.process import StudentProcess
from graders.sandbox.program import Program
from graders.sandbox.socket_line import NotForked, SocketLine
from softmark_worker.wire import WITH_FILES, WITHOUT_FILES

END_S = 2.0  # how long killed processes may take to end


def make_interpreter(
    level: IsolationLevel, limits: Limits, device: str, libraries: Sequence[str] = ()
) -> Interpreter | NewProcesses:
    """What starts the processes of a box: a warm interpreter, or programs, where nothing can be forked."""
    starts = NewProcesses if level is IsolationLevel.PROCESS else Interpreter
    return starts(level, limits, device, libraries)


class Box:
    """A warm interpreter at one isolation level. The box starts a new one after it died.

    A forked process may use a box that its parent started: only the parent ends that interpreter.
    """

    def __init__(
        self,
        level: IsolationLevel,
        limits: Limits | None = None,
        device: str = "cpu",
        interpreter: Interpreter | NewProcesses | None = None,
        libraries: Sequence[str] = (),
    ) -> None:
        """A box at an isolation level, in an `interpreter` that was started for it, or in a new one.

        A new one imports these `libraries`, so that no process of a submission takes the time for it.
        """
        self.level = level
        self.limits = limits or Limits()
        self.device = device
        self._interpreter = interpreter or make_interpreter(level, self.limits, device, libraries)
        self._used = False
        self._groups: list[cgroups.Group] = []

    def start(self) -> None:
        """Start the interpreter without waiting for it.

        Raises:
            BoxBroken: the isolation level cannot be built here.
        """
        self._interpreter.start()

    def fork(self, *, files: bool = True) -> StudentProcess:
        """Fork a new process for one submission; without `files`, it can write no byte into one.

        A program of its own (`process`) may write files all the same.

        Raises:
            BoxBroken: the interpreter does not start.
        """
        if self.level is IsolationLevel.FRESH and self._used:
            self.close()
        for attempt in (1, 2):
            try:
                child = self._fork(files)
            except BoxBroken:
                self.close()
                raise
            except OSError as error:  # the interpreter died: try once more with a new one
                self.close()
                if attempt == 2:
                    cause = error.cause if isinstance(error, NotForked) else None
                    reason = describe_failure(error, cause)
                    raise BoxBroken(tr("the box did not start: {reason}", reason=reason), cause) from error
            else:
                self._used = True
                return child
        raise AssertionError("unreachable")

    @property
    def pid(self) -> int:
        """The process id of the command, the ancestor of all processes of the box."""
        return os.getpid() if isinstance(self._interpreter, NewProcesses) else self._interpreter.pid

    def close(self) -> None:
        """End the interpreter and everything in the box; in a forked process, leave it to the parent."""
        self._interpreter.close()
        self._used = False
        until = time.monotonic() + END_S
        while self._groups and time.monotonic() < until:
            self._groups = [group for group in self._groups if not group.remove()]
            time.sleep(0.001 if self._groups else 0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _fork(self, files: bool) -> StudentProcess:
        if isinstance(self._interpreter, NewProcesses):
            return _await_program(self._interpreter.take(), self.limits)
        control = self._interpreter.await_ready()
        line, theirs = self._pipes()
        try:
            try:
                socket.send_fds(control, [WITH_FILES if files else WITHOUT_FILES], theirs)
            finally:
                for descriptor in theirs:
                    os.close(descriptor)
            line.await_start(CONTROL_S)
        except OSError:
            line.close()
            raise
        return StudentProcess(line, self.limits)

    def _pipes(self) -> tuple[SocketLine, list[int]]:
        """Open the pipes; return our ends and the child's."""
        channel, their_channel = socket.socketpair()
        output, their_output = os.pipe()
        status, their_status = os.pipe()
        their_kill_pipe, kill_pipe = os.pipe()
        group = self._group()
        line = SocketLine(
            channel=channel,
            output=output,
            status=status,
            kill_pipe=kill_pipe,
            limits=self.limits,
            group=group,
        )
        theirs = [their_channel.detach(), their_output, their_status, their_kill_pipe]
        return line, theirs + (group.open() if group else [])

    def _group(self) -> cgroups.Group | None:
        """Create a control group for the next process, and remove those of processes that ended."""
        self._groups = [group for group in self._groups if not group.remove()]
        if not self.level.walled or (group := cgroups.create_group(self.limits)) is None:
            return None
        self._groups.append(group)
        return group


def _await_program(program: Program, limits: Limits) -> StudentProcess:
    """The process of a program, once it serves.

    Raises:
        BoxBroken: it does not.
    """
    line = PipeLine(program, limits)
    try:
        printed = line.await_ready(START_S)
        reason = None if printed is None else describe_failure(printed, None)
    except TimeoutError:
        line.close()
        seconds = f"{START_S:.0f}"
        raise BoxBroken(tr("the box was not ready after {seconds} s", seconds=seconds)) from None
    if reason is not None:
        line.close()
        raise BoxBroken(tr("the box did not start: {reason}", reason=reason))
    return StudentProcess(line, limits)
