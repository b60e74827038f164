"""A submission's process as a program of its own, started with no more than `subprocess`."""

import contextlib
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass

from graders.locations import WORKER
from graders.sandbox.isolation.environment import portable_environment
from graders.sandbox.limits import Limits

FLAGS = ("-P", "-B", "-u")
NEW_GROUP = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)  # on Windows: Ctrl-C reaches the host alone


@dataclass(frozen=True)
class Program:
    """The process, the word that its own lines begin with, and the folder in which it runs."""

    process: "subprocess.Popen[bytes]"
    word: str
    folder: str

    def kill(self) -> None:
        """Kill it, and those of its processes that are still in its session; wait for its end."""
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, signal.SIGKILL)
        with contextlib.suppress(OSError):
            self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def end(self) -> None:
        """Kill it before anybody has read what it writes."""
        self.kill()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()


def start_program(limits: Limits, device: str, libraries: Sequence[str]) -> Program:
    """Start one that imports PyTorch and `libraries`, and then serves.

    Raises:
        OSError: none can be started.
    """
    word, folder = secrets.token_hex(16), tempfile.mkdtemp(prefix="softmark-")
    settings = {"word": word, "limits": limits.for_box(), "device": device, "libraries": [*libraries]}
    flags = ("-s", *FLAGS) if sys.flags.no_user_site else FLAGS
    try:
        process = subprocess.Popen(
            [sys.executable, *flags, str(WORKER / "start.py"), "pipe_program", json.dumps(settings)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=folder,
            env=portable_environment(os.environ),
            start_new_session=True,
            creationflags=NEW_GROUP,
        )
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return Program(process, word, folder)
