"""Control groups, if the host may create them: limits on all processes of a submission together.

Version 2 has one tree of groups, version 1 one for each controller (cgroups(7)).
"""

import contextlib
import itertools
import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from graders.sandbox.limits import Limits

ROOT = Path("/sys/fs/cgroup")
SPARE = 64 << 20  # bytes: a page shared with the interpreter counts once it is written to
_numbers = itertools.count()


@dataclass(frozen=True)
class Group:
    """One submission's groups, a folder in each tree."""

    folders: tuple[Path, ...]

    def open(self) -> list[int]:
        """File descriptors to which a process writes 0 to enter the groups."""
        return [os.open(folder / "cgroup.procs", os.O_WRONLY) for folder in self.folders]

    def out_of_memory(self) -> bool:
        """Whether the kernel killed a process because the group's memory was used up."""
        for folder in self.folders:
            for name in ("memory.events", "memory.oom_control"):
                with contextlib.suppress(OSError):
                    words = (folder / name).read_text(encoding="ascii").split()
                    if int(dict(zip(words[::2], words[1::2], strict=False)).get("oom_kill", "0")):
                        return True
        return False

    def remove(self) -> bool:
        """Remove the groups; return whether they are gone. Groups with running processes stay."""
        for folder in self.folders:
            with contextlib.suppress(FileNotFoundError, OSError):
                folder.rmdir()
        return not any(folder.exists() for folder in self.folders)


def create_group(limits: Limits) -> Group | None:
    """New groups with these limits, or None where the host may not create any."""
    parents = writable()
    name = f"softmark-{os.getpid()}-{next(_numbers)}"
    memory = limits.memory_bytes + limits.shared_bytes + limits.scratch_bytes + SPARE
    folders: list[Path] = []
    try:
        for parent in parents:
            (parent / name).mkdir()
            folders.append(parent / name)
        group = Group(tuple(folders))
        for folder in folders:
            _put(folder, ("memory.max", "memory.limit_in_bytes"), memory)
            _put(folder, ("pids.max",), limits.processes)
    except OSError:
        Group(tuple(folders)).remove()
        return None
    return group if folders else None


@cache
def writable() -> tuple[Path, ...]:
    """The folders where the host may create groups that limit memory or processes."""
    own = {}
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text(encoding="ascii").splitlines():
            _, controllers, path = line.split(":", 2)
            own[controllers] = path.lstrip("/")
    candidates = [ROOT / own.get("", "")]  # version 2: only if it delegates controllers to subgroups
    candidates += [ROOT / name / own.get(name, "") for name in ("memory", "pids")]
    parents = tuple(folder for folder in candidates if _offers(folder))
    _sweep(parents)
    return parents


def _sweep(parents: tuple[Path, ...]) -> None:
    """Remove the groups of programs that were killed before they removed them."""
    for parent in parents:
        for folder in parent.glob("softmark-*-*"):
            pid = folder.name.split("-")[1]
            if not (Path("/proc") / pid).exists():
                with contextlib.suppress(OSError):
                    folder.rmdir()


def _offers(folder: Path) -> bool:
    probe = folder / f"softmark-{os.getpid()}-probe"
    try:
        probe.mkdir()
    except OSError:
        return False
    try:
        names = ("memory.max", "memory.limit_in_bytes", "pids.max")
        return any(os.access(probe / name, os.W_OK) for name in names)
    finally:
        probe.rmdir()


def _put(folder: Path, names: tuple[str, ...], value: int) -> None:
    for name in names:
        if (folder / name).exists():
            (folder / name).write_text(str(value), encoding="ascii")
