"""The warm interpreter of a box: started at once, awaited later. This module does not import PyTorch.

So a command starts the interpreter first and imports PyTorch itself while the interpreter does.
"""

import contextlib
import json
import os
import socket
import subprocess
import tempfile
from collections.abc import Sequence
from typing import IO

from graders.language import tr
from graders.sandbox.interpreter_process import ForkedInterpreter, InterpreterProcess, InterpreterProgram
from graders.sandbox.isolation.causes import Cause, cause_from_bubblewrap, describe_failure
from graders.sandbox.isolation.command import command, environment
from graders.sandbox.isolation.gpu import Gpu, find_gpu
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.isolation.seccomp import NoFilter
from graders.sandbox.isolation.settings import settings
from graders.sandbox.limits import Limits
from graders.sandbox.template import current_template, use_template
from graders.sandbox.worker_messages import find_sentence

START_S = 60.0
FORKED_S = 15.0  # until a forked interpreter is ready, which takes some milliseconds
CONTROL_S = 5.0


class BoxBroken(Exception):
    """The box does not start, or fails by softmark's own fault. The text is for staff.

    `cause` is what the machine lacks, where that is known.
    """

    def __init__(self, text: str, cause: Cause | None = None) -> None:
        super().__init__(text)
        self.cause = cause


def find_gpu_for(device: str) -> Gpu | None:
    """What a box for this device needs of the machine's GPU; None for the CPU.

    Raises:
        BoxBroken: there is no driver.
    """
    gpu = find_gpu() if device == "cuda" else None
    if device == "cuda" and gpu is None:
        raise BoxBroken(Cause.NO_GPU_DRIVER.says, Cause.NO_GPU_DRIVER)
    return gpu


class Interpreter:
    """The process that imports PyTorch and then forks one process per submission.

    A forked process may use an interpreter that its parent started: only the parent ends it.
    """

    def __init__(
        self, level: IsolationLevel, limits: Limits, device: str, libraries: Sequence[str] = ()
    ) -> None:
        self.level = level
        self.limits = limits
        self.device = device
        self._libraries = libraries
        self._process: InterpreterProcess | None = None
        self._owner = 0
        self._control: socket.socket | None = None
        self._ready = False
        self._errors: IO[bytes] | None = None

    @property
    def settings(self) -> tuple[IsolationLevel, Limits, str]:
        """What it was made for: a box of other settings needs another one."""
        return self.level, self.limits, self.device

    @property
    def pid(self) -> int:
        """The process id of the ancestor of all processes of the box.

        Raises:
            BoxBroken: the interpreter does not start.
        """
        if self._process is None or self._process.pid is None:
            self.await_ready()
        assert self._process is not None
        assert self._process.pid is not None
        return self._process.pid

    def start(self, *, forked: bool = True) -> None:
        """Start the interpreter without waiting for it: importing torch takes a second or two.

        Args:
            forked: whether it may be forked from a template.

        Raises:
            BoxBroken: the isolation level cannot be built here.
        """
        gpu = find_gpu_for(self.device)
        try:
            values = settings(self.level, self.limits, gpu, self._libraries)
        except NoFilter as error:
            raise BoxBroken(Cause.NO_LIBSECCOMP.says, Cause.NO_LIBSECCOMP) from error
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        # Closed with the box; a pipe would block the interpreter once it is full.
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        try:
            self._process = (self._fork(theirs) if forked else None) or self._run(theirs, gpu)
            ours.send(json.dumps(values).encode())
        except OSError as error:
            ours.close()
            missing = isinstance(error, FileNotFoundError) and self.level.bubblewrapped
            cause = Cause.NO_BUBBLEWRAP if missing else None
            reason = describe_failure(error.strerror or error, cause)
            raise BoxBroken(tr("cannot start the box: {reason}", reason=reason), cause) from error
        finally:
            theirs.close()
        self._control, self._ready = ours, False
        self._owner = os.getpid()

    def _fork(self, control: socket.socket) -> InterpreterProcess | None:
        """An interpreter from this process's template; None where there is none, or it cannot be used.

        CUDA needs libraries of its own from the start, and `fresh` promises an interpreter of its own.
        """
        template = current_template()
        if template is None or self.device != "cpu" or self.level is IsolationLevel.FRESH:
            return None
        assert self._errors is not None
        try:
            return template.fork(self.level, self.limits, control, self._errors)
        except ConnectionError:  # the template was killed
            use_template(None)
            return None

    def _run(self, control: socket.socket, gpu: Gpu | None) -> InterpreterProcess:
        """An interpreter that is a program of its own."""
        process = subprocess.Popen(
            command(self.level, self.limits, gpu, "fork_server", str(control.fileno())),
            pass_fds=[control.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            env=None if self.level.bubblewrapped else environment(gpu),
            start_new_session=True,  # Ctrl-C reaches only the host, which then ends its children in order
        )
        return InterpreterProgram(process)

    def await_ready(self) -> socket.socket:
        """Wait until the interpreter is ready, and start it if that was not done; return its control socket.

        Raises:
            BoxBroken: it does not start.
        """
        if self._process is None:
            self.start()
        assert self._control is not None
        if not self._ready:
            is_forked = isinstance(self._process, ForkedInterpreter)
            self._control.settimeout(FORKED_S if is_forked else START_S)
            try:
                self._ready = self._is_ready()
            except TimeoutError:
                if is_forked:  # it is lost, whatever became of it: a program of its own needs no template
                    self.close()
                    self.start(forked=False)
                    return self.await_ready()
                raise BoxBroken(
                    tr("the box was not ready after {seconds} s", seconds=f"{START_S:.0f}")
                ) from None
            except ConnectionError:  # it ended before it read the settings
                self._ready = False
            self._control.settimeout(CONTROL_S)
            if not self._ready:
                raise self._did_not_start()
        return self._control

    def close(self) -> None:
        """End the interpreter and all of its children; in a forked process, leave it to the parent."""
        if self._control is not None:
            self._control.close()
        if self._process is not None and self._owner == os.getpid():
            self._process.end()
        if self._errors is not None:
            self._errors.close()
        self._control = self._process = self._errors = None

    def _is_ready(self) -> bool:
        """Wait for the interpreter's word, and for the template's about which process it is."""
        assert self._control is not None
        ready = False
        while not ready or (self._process is not None and self._process.pid is None):
            text, descriptors, _, _ = socket.recv_fds(self._control, 16, 1)
            if descriptors and isinstance(self._process, ForkedInterpreter):
                self._process.identify(int(text), descriptors[0])
            elif text == b"ready":
                ready = True
            else:
                return False
        return True

    def _did_not_start(self) -> BoxBroken:
        """Why the interpreter ended before it was ready, from what it and bubblewrap printed."""
        text = self._read_errors()
        cause = cause_from_bubblewrap(text)
        reason = describe_failure(text, cause)
        with contextlib.suppress(ValueError):
            if sentence := find_sentence(json.loads(text.rpartition("\n")[2])):
                reason, cause = sentence, Cause.PYTHON_NOT_READABLE
        return BoxBroken(tr("the box did not start: {reason}", reason=reason), cause)

    def _read_errors(self) -> str:
        assert self._process is not None
        assert self._errors is not None
        self._process.end()
        self._errors.seek(0)
        return self._errors.read().decode(errors="replace").strip()
