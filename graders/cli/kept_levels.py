"""Which isolation levels held on this machine, kept in the user's cache folder. Imports no PyTorch.

What held is kept until the machine starts again, or until Python, softmark, bubblewrap or the kernel's
settings are others.
"""

import contextlib
import hashlib
import json
import os
import platform
import shutil
import sys
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from graders.results.kept_folder import LEVELS
from graders.sandbox.isolation.level import IsolationLevel

_FILE = "levels.json"
_SETTINGS = (
    "/proc/sys/kernel/random/boot_id",
    "/proc/sys/kernel/unprivileged_userns_clone",
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
    "/proc/sys/user/max_user_namespaces",
    "/proc/self/cgroup",
)


@dataclass(frozen=True)
class KeptLevels:
    """The levels that held when they were last tried; `best` was taken when none was asked for."""

    held: frozenset[IsolationLevel] = frozenset()
    best: IsolationLevel | None = None

    def taken_for(self, asked: IsolationLevel | None) -> IsolationLevel | None:
        """The level that a command takes which asks for this one, or for none; None if that is not known."""
        if asked is None:
            return self.best
        return asked if asked in self.held else None


def read_levels() -> KeptLevels:
    """What is kept of this machine."""
    with contextlib.suppress(ValueError, TypeError, KeyError):
        kept = json.loads(LEVELS.read(_FILE) or b"{}")
        if kept["machine"] == _machine():
            best = IsolationLevel(kept["best"]) if "best" in kept else None
            return KeptLevels(frozenset(map(IsolationLevel, kept["held"])), best)
    return KeptLevels()


def keep_held(level: IsolationLevel, *, is_best: bool = False) -> None:
    """Keep that a level holds, and whether it was taken where none was asked for."""
    kept = read_levels()
    best = level if is_best else kept.best
    if level in kept.held and best == kept.best:
        return
    text: dict[str, object] = {"machine": _machine(), "held": sorted({*kept.held, level})}
    if best is not None:
        text["best"] = best
    LEVELS.keep(_FILE, json.dumps(text).encode())


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
