"""Which isolation levels held when `softmark doctor` tried them, so that it need not try these again.

To try a level is to start a box and hand it what must be refused; `fresh` imports PyTorch anew for it, 1.5
s. What held is kept until the machine starts again, or until Python, softmark, bubblewrap or the kernel's
settings are others. What did not hold is tried each time: its reader may just have installed what was
missing.
"""

import contextlib
import hashlib
import json
import os
import platform
import shutil
import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path

from graders.judging.kept.folder import LEVELS
from graders.sandbox.box import Box
from graders.sandbox.interpreter import BoxBroken
from graders.sandbox.isolation.choose_level import Step, try_level
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import Limits

_FILE = "levels.json"
_SETTINGS = (
    "/proc/sys/kernel/random/boot_id",
    "/proc/sys/kernel/unprivileged_userns_clone",
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
    "/proc/sys/user/max_user_namespaces",
    "/proc/self/cgroup",
)


def try_levels(limits: Limits) -> Iterator[Step]:
    """How each isolation level ends, best first; those that held before are not tried again."""
    held = _read()
    for level in IsolationLevel:
        if level in held:
            yield Step(level, None)
            continue
        box, step = try_level(level, limits)
        if box is not None:
            if level is IsolationLevel.PROCESS and not held:  # it is in force, so it should be seen to work
                step = _start_one(box)
            box.close()
        if not step.problem:
            held.add(level)
            _write(held)
        yield step


def _start_one(box: Box) -> Step:
    try:
        box.fork().close()
    except BoxBroken as error:
        return Step(box.level, str(error), error.cause)
    return Step(box.level, None)


def _machine() -> str:
    """A digest of what decides which levels hold."""
    programs = [sys.executable, *filter(None, [shutil.which("bwrap")])]
    user = os.getuid() if hasattr(os, "getuid") else ""
    facts = [version("softmark"), version("torch"), platform.release(), str(user)]
    for program in programs:
        facts += [program, str(Path(program).stat().st_mtime_ns)]
    for setting in _SETTINGS:
        with contextlib.suppress(OSError):
            facts += [setting, Path(setting).read_text(encoding="utf-8")]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def _read() -> set[IsolationLevel]:
    with contextlib.suppress(ValueError, TypeError, KeyError):
        kept = json.loads(LEVELS.read(_FILE) or b"{}")
        if kept["machine"] == _machine():
            return {IsolationLevel(level) for level in kept["held"]}
    return set()


def _write(held: Iterable[IsolationLevel]) -> None:
    LEVELS.keep(_FILE, json.dumps({"machine": _machine(), "held": sorted(held)}).encode())
