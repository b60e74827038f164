"""Which processes there are, for tests that none survives."""

import os
from pathlib import Path

KERNEL_THREAD = 0x00200000  # PF_KTHREAD in the flags of /proc/PID/stat


def below(pid: int) -> set[int]:
    """All processes that descend from `pid`."""
    children = _children()
    found, left = set[int](), [pid]
    while left:
        left += (new := children.get(left.pop(), []))
        found |= set(new)
    return found


def children_of(pid: int) -> list[int]:
    """The processes that `pid` has started, or adopted."""
    return _children().get(pid, [])


def _children() -> dict[int, list[int]]:
    children: dict[int, list[int]] = {}
    # Paths are text here, which takes half the time: tests look for survivors very often.
    for name in filter(str.isdigit, os.listdir("/proc")):  # noqa: PTH208
        try:
            with open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123
                parent = int(file.read().rpartition(b")")[2].split()[1])
        except (OSError, ValueError):
            continue
        children.setdefault(parent, []).append(int(name))
    return children


def alive(pid: int) -> bool:
    """Whether a process runs; one that is dead and only waits to be collected does not.

    Nor does a thread of the kernel, which may have the number of a process that has ended.
    """
    try:
        fields = (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return fields[0] != "Z" and not int(fields[6]) & KERNEL_THREAD
