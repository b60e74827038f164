"""The command that starts the warm interpreter at an isolation level, and its environment."""

import os
import sys
from pathlib import Path
from typing import Any

from graders.locations import WORKER
from graders.sandbox.isolation.bubblewrap import wrap_command
from graders.sandbox.isolation.environment import ENVIRONMENT
from graders.sandbox.isolation.gpu import Gpu
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.isolation.visible_paths import path_in_box, python
from graders.sandbox.limits import Limits
from softmark_worker.syscalls import CAP_SETGID, CAP_SETUID

PYTHON_FLAGS = ("-s", "-P", "-B", "-u")


def command(level: IsolationLevel, limits: Limits, gpu: Gpu | None, program: str, argument: str) -> list[str]:
    """The argument list that runs a program of `softmark_worker/` on `level`."""
    if not level.bubblewrapped:
        return [sys.executable, *PYTHON_FLAGS, str(WORKER / "start.py"), program, argument]
    # Started as "../.venv/bin/python", Python keeps the ".." in its own path, which leads nowhere in the box.
    interpreter = str(path_in_box(Path(os.path.normpath(sys.executable))))
    return [
        *wrap_command(environment(gpu), limits.scratch_bytes, gpu),
        interpreter,
        *PYTHON_FLAGS,
        "/worker/start.py",
        program,
        argument,
    ]


def hold_command(limits: Limits, information: int) -> list[str]:
    """The argument list of the program that holds a box for an interpreter that is forked into it.

    It repeats what it reads; bubblewrap writes its process id, as JSON, to the descriptor `information`.
    """
    wrapped = wrap_command(environment(None), limits.scratch_bytes, None)
    return [*wrapped, "--info-fd", str(information), "cat"]


def entry_into_box(level: IsolationLevel) -> dict[str, Any]:
    """What `softmark_worker/enter_box.py` must know: where the box has our folders, which rights are left."""
    if not level.bubblewrapped:
        return {"holder": False, "folders": {}, "capabilities": []}
    folders = {str(folder): str(place) for folder, place in python().items() if folder != place}
    capabilities = [CAP_SETGID, CAP_SETUID] if os.getuid() == 0 else []
    return {"holder": True, "folders": {str(WORKER): "/worker"} | folders, "capabilities": capabilities}


def environment(gpu: Gpu | None) -> dict[str, str]:
    """The whole environment of student code."""
    libraries = {"LD_LIBRARY_PATH": ":".join(gpu.libraries)} if gpu and gpu.libraries else {}
    return ENVIRONMENT | libraries
