"""The command that starts the warm interpreter at an isolation level, and its environment."""

import os
import sys
from pathlib import Path

from graders.locations import WORKER
from graders.sandbox.isolation.bubblewrap import wrap_command
from graders.sandbox.isolation.gpu import Gpu
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.isolation.visible_paths import path_in_box
from graders.sandbox.limits import Limits

# A fixed hash seed makes sets of strings iterate alike in every run: the same findings every time.
ENVIRONMENT = {
    "PATH": "/usr/bin",
    "HOME": "/tmp",  # noqa: S108 (inside the box: a scratch folder of its own)
    "LANG": "C.UTF-8",
    "PYTHONHASHSEED": "0",
    "MPLBACKEND": "agg",
    "TORCHDYNAMO_DISABLE": "1",  # torch.compile needs a compiler; disabled, it runs functions as they are
    "MALLOC_ARENA_MAX": "2",  # else every thread reserves address space that the limits count
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
_FLAGS = ("-s", "-P", "-B", "-u")


def command(
    level: IsolationLevel, limits: Limits, gpu: Gpu | None, script: str, *arguments: str
) -> list[str]:
    """The argument list that runs a script of `graders/worker/` on `level`."""
    if not level.bubblewrapped:
        return [sys.executable, *_FLAGS, str(WORKER / script), *arguments]
    # Started as "../.venv/bin/python", Python keeps the ".." in its own path, which leads nowhere in the box.
    python = str(path_in_box(Path(os.path.normpath(sys.executable))))
    return [
        *wrap_command(environment(gpu), limits.scratch_bytes, gpu),
        python,
        *_FLAGS,
        f"/worker/{script}",
        *arguments,
    ]


def environment(gpu: Gpu | None) -> dict[str, str]:
    """The whole environment of student code."""
    libraries = {"LD_LIBRARY_PATH": ":".join(gpu.libraries)} if gpu and gpu.libraries else {}
    return ENVIRONMENT | libraries
