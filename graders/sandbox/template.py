"""The template of this process: it has imported PyTorch once, and forks the warm interpreter of each box.

Where a process has none, each interpreter is a program that imports PyTorch itself. A template must know
nothing of the host, so it is started with the environment of a box: here by `spawn`, or, for a whole command,
by `graders/cli/start.py`. `softmark_worker/template.py` is the template's own side.
"""

import contextlib
import json
import os
import socket
import subprocess
import sys
from typing import IO

from graders.locations import WORKER
from graders.sandbox.interpreter_process import ForkedInterpreter
from graders.sandbox.isolation.command import PYTHON_FLAGS, entry_into_box, hold_command
from graders.sandbox.isolation.environment import ENVIRONMENT
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import Limits


class Template:
    """The host's end of a template. Processes that are forked from the host may use it too.

    The template ends when no process has this end open any more.
    """

    def __init__(self, control: socket.socket, process: subprocess.Popen[bytes] | None = None) -> None:
        self._control = control
        self._process = process

    @classmethod
    def spawn(cls) -> "Template":
        """Start a template as a program of its own.

        Raises:
            OSError: no program can be started.
        """
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            process = subprocess.Popen(
                [sys.executable, *PYTHON_FLAGS, str(WORKER / "start.py"), "template", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env=ENVIRONMENT,
            )
        return cls(ours, process)

    @property
    def pid(self) -> int | None:
        """The process id of a template that is a program of its own."""
        return self._process.pid if self._process else None

    def close(self) -> None:
        """Let the template end; interpreters that it forked go on."""
        self._control.close()
        if self._process is not None:
            self._process.wait()

    def fork(
        self, level: IsolationLevel, limits: Limits, control: socket.socket, errors: IO[bytes]
    ) -> ForkedInterpreter:
        """Have an interpreter forked into a box.

        Args:
            level: of the box; not `fresh`.
            limits: of the box.
            control: the interpreter's end of its control socket.
            errors: what it and bubblewrap print.

        Raises:
            OSError: the template is gone, or bubblewrap cannot be started.
        """
        asked = json.dumps(entry_into_box(level)).encode()
        descriptors = [control.fileno(), errors.fileno()]
        if not level.bubblewrapped:
            socket.send_fds(self._control, [asked], descriptors)
            return ForkedInterpreter(None)
        # A file, not a pipe: if this process is killed before bubblewrap has written, a pipe would end
        # bubblewrap in the middle of its start, and its child would wait for ever.
        information = os.memfd_create("softmark-holder")
        try:
            holder = _hold(limits, information, errors)
            assert holder.stdout is not None
            with holder.stdout:
                descriptors += [information, holder.stdout.fileno()]
                try:
                    socket.send_fds(self._control, [asked], descriptors)
                except OSError:
                    ForkedInterpreter(holder).end()
                    raise
        finally:
            os.close(information)
        return ForkedInterpreter(holder)


def _hold(limits: Limits, information: int, errors: IO[bytes]) -> subprocess.Popen[bytes]:
    """Start the program that holds a box; it repeats a line once the box is built around it."""
    holder = subprocess.Popen(
        hold_command(limits, information),
        pass_fds=[information],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        bufsize=0,
        start_new_session=True,
    )
    assert holder.stdin is not None
    with contextlib.suppress(BrokenPipeError):  # bubblewrap has failed, and said why
        holder.stdin.write(b"\n")
    return holder


_template: Template | None = None


def use_template(template: Template | None) -> None:
    """From now on, interpreters of this process are forked from this template; with None, none is."""
    global _template
    _template = template


def current_template() -> Template | None:
    """The template of this process, if it has one."""
    return _template
