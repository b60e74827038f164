"""The settings of isolation that the host sends to the worker: plain values, sent once."""

import base64
import os
from collections.abc import Sequence
from typing import Any

from graders.sandbox.isolation import seccomp, visible_paths
from graders.sandbox.isolation.bubblewrap import SCRATCH
from graders.sandbox.isolation.gpu import Gpu
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import Limits

# An unused uid, since the kernel does not limit the processes of uid 0. Each grading process has its own:
# the kernel counts the processes of a uid together, and one job must not use up another's limit.
NOBODY, BOXES = 200_001, 50_000


def settings(
    level: IsolationLevel, limits: Limits, gpu: Gpu | None, libraries: Sequence[str] = ()
) -> dict[str, Any]:
    """The settings of `softmark_worker/lock_down.py` for an isolation level.

    Args:
        level: the isolation level.
        limits: of a submission.
        gpu: the GPU's files in the box; None where the device is the CPU.
        libraries: the modules that the warm interpreter imports before it forks.

    Raises:
        NoFilter: no filter of system calls can be made here.
    """
    nested, walled = level is IsolationLevel.NESTED, level.walled
    program = b""
    if walled:
        program = seccomp.compile_filter(scratch=level.scratch, own_processes=nested, cuda=gpu is not None)
    write = [*visible_paths.DEVICES, *((SCRATCH,) if level.scratch else ()), *(gpu.devices if gpu else ())]
    return {
        "namespaces": nested,
        "several": level.several,
        "walled": walled,
        "uid": NOBODY + os.getpid() % BOXES if walled and os.getuid() == 0 else None,
        "needs_landlock": level.needs_landlock,
        "read": _readable(level, gpu) if walled else [],
        "write": write,
        "filter": base64.b64encode(program).decode(),
        "limits": limits.for_box(),
        "device": "cuda" if gpu else "cpu",
        "libraries": [*libraries],
    }


def _readable(level: IsolationLevel, gpu: Gpu | None) -> list[str]:
    if level.bubblewrapped:
        paths = [*visible_paths.SYSTEM, *visible_paths.python().values()]
    else:
        hidden = visible_paths.ours()
        folders = [*visible_paths.SYSTEM, *visible_paths.python()]
        paths = [
            path for folder in folders if folder.exists() for path in visible_paths.around(folder, hidden)
        ]
    extra = ("/proc", "/sys", *gpu.libraries) if gpu else ()
    return [*map(str, paths), *extra]
