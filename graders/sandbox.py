"""The box: a warm interpreter that forks one enclosed process per submission.

    with Box(rung) as box, box.fork() as child:
        answer = child.ask("call", [None, [x], {}], seconds=5)

The next fork knows nothing of the last one.
"""

import json
import os
import socket
import subprocess
import tempfile
from typing import IO, Self

from graders.child import Child
from graders.limits import Limits
from graders.rung import ENVIRONMENT, Rung, command

START_S = 60.0
CONTROL_S = 5.0


class BoxBroken(Exception):
    """The box cannot be started, or broke by our own fault. Text for staff."""


class Box:
    """A warm interpreter on one rung. Restarted by itself when it dies."""

    def __init__(self, rung: Rung, limits: Limits | None = None) -> None:
        self.rung = rung
        self.limits = limits or Limits()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._ready = False
        self._errors: IO[bytes] | None = None

    def start(self) -> None:
        """Start the interpreter without waiting for it: importing torch takes a second or two.

        Raises:
            BoxBroken: bubblewrap is missing or cannot be run.
        """
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the box; a full pipe would block it)
        try:
            self._process = subprocess.Popen(
                command(self.rung, "zygote.py", str(theirs.fileno()), self.rung.value),
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                env=ENVIRONMENT if self.rung is Rung.OPEN else None,
                start_new_session=True,  # Ctrl-C is for the host alone, which then ends its children in order
            )
        except OSError as error:
            ours.close()
            raise BoxBroken(f"cannot start the box: {error}") from error
        finally:
            theirs.close()
        self._control, self._ready = ours, False

    def fork(self) -> Child:
        """A fresh process for one submission.

        Raises:
            BoxBroken: the interpreter does not start.
        """
        for attempt in (1, 2):
            try:
                return self._fork()
            except (OSError, BoxBroken):
                self.close()
                if attempt == 2:
                    raise
        raise AssertionError("unreachable")

    def close(self) -> None:
        """End the interpreter and everything in the box."""
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        if self._errors is not None:
            self._errors.close()
        self._control = self._process = self._errors = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _fork(self) -> Child:
        control = self._warm()
        channel, their_channel = socket.socketpair()
        output, their_output = os.pipe()
        status, their_status = os.pipe()
        their_leash, leash = os.pipe()
        theirs = [their_channel.fileno(), their_output, their_status, their_leash]
        child = Child(channel, output, status, leash, self.limits)
        try:
            socket.send_fds(control, [json.dumps(self.limits.for_kernel()).encode()], theirs)
        except OSError:
            child.close()
            raise
        finally:
            their_channel.close()
            for descriptor in theirs[1:]:
                os.close(descriptor)
        try:
            child.started(CONTROL_S)
        except OSError:
            child.close()
            raise
        return child

    def _warm(self) -> socket.socket:
        """The control socket of a running interpreter, once it has said that it is ready."""
        if self._process is None:
            self.start()
        assert self._control is not None
        if not self._ready:
            self._control.settimeout(START_S)
            try:
                self._ready = self._control.recv(16) == b"ready"
            except TimeoutError:
                raise BoxBroken(f"the box was not ready after {START_S:.0f} s") from None
            self._control.settimeout(CONTROL_S)
            if not self._ready:
                raise BoxBroken(f"the box did not start: {self._last_words()}")
        return self._control

    def _last_words(self) -> str:
        assert self._process is not None
        assert self._errors is not None
        self._process.kill()
        self._process.wait()
        self._errors.seek(0)
        return self._errors.read().decode(errors="replace").strip()[-500:] or "it said nothing"
