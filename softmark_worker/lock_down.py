"""The student's process isolates itself, step by step, before the student's first line.

The steps depend on `settings`, which the host makes (`sandbox/isolation/settings.py`). A step that fails
raises, and the process ends: student code never runs half isolated.
"""

import base64
import contextlib
import faulthandler
import os
import signal
import sys
from typing import Any

from softmark_worker import landlock, limit_process
from softmark_worker import syscalls as kernel

WHERE = signal.SIGUSR1  # asks the student's process to print its traceback
CHANNEL = 3  # the descriptor of the channel in the student's process

# The namespaces that each submission has of its own (namespaces(7)).
NAMESPACES = (
    kernel.CLONE_NEWUSER
    | kernel.CLONE_NEWNS
    | kernel.CLONE_NEWUTS
    | kernel.CLONE_NEWIPC
    | kernel.CLONE_NEWPID
    | kernel.CLONE_NEWNET
    | kernel.CLONE_NEWCGROUP
)

Settings = dict[str, Any]


def map_users(uid: int, gid: int) -> None:
    """Keep the user's and group's ids in a new user namespace (user_namespaces(7))."""
    kernel.dumpable(True)  # a process that changed its uid may not write its own uid_map otherwise
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        _put(f"/proc/self/{name}", text)


def enter(groups: list[int]) -> None:
    """Join control groups, given as their opened `cgroup.procs` (cgroups(7))."""
    for group in groups:
        os.write(group, b"0")


def descriptors(channel: int, output: int, status: int) -> int:
    """Put /dev/null on 0, the output pipe on 1 and 2, the channel on 3; return where `status` is."""
    null = os.open(os.devnull, os.O_RDONLY)
    wanted = ((null, 0), (output, 1), (output, 2), (channel, CHANNEL), (status, CHANNEL + 1))
    # Copied to high numbers first: a source may itself have one of the numbers 0 to 4.
    for source, target in [(os.dup2(source, 100 + target), target) for source, target in wanted]:
        os.dup2(source, target)
    os.closerange(CHANNEL + 2, 65536)
    return CHANNEL + 1


def lock_down(settings: Settings, others: int) -> None:
    """Isolate this process. The kernel counts `others`, processes and threads, towards its limit.

    Raises:
        OSError: a step failed.
    """
    linux = sys.platform == "linux"
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    # Its handler is in C, so that it works in an endless loop too, in Python or C.
    faulthandler.register(WHERE, file=2, all_threads=False)
    taken = limit_process.memory_taken()
    if linux:
        kernel.dumpable(True)
        with contextlib.suppress(OSError):  # killed first when the machine's memory runs out
            _put("/proc/self/oom_score_adj", "1000")
    if settings["namespaces"]:
        _mounts(settings["limits"])
    kernel.die_with_parent()
    if linux:
        with contextlib.suppress(OSError):  # its memory is measured, and would grow in steps of 2 MB
            kernel.small_pages()
        kernel.no_new_privileges()
        kernel.dumpable(False)
    limit_process.limit(settings["limits"], taken, settings["device"], others)
    if settings["walled"]:
        kernel.no_capabilities()
    if settings["needs_landlock"] or (settings["walled"] and landlock.version()):
        landlock.restrict(settings["read"], settings["write"])
    if settings["filter"]:
        kernel.filter_calls(base64.b64decode(settings["filter"]))


def tasks() -> int:
    """Visible processes and threads of this process's user: RLIMIT_NPROC counts them together."""
    count = 0
    with contextlib.suppress(OSError):
        for entry in os.scandir("/proc"):
            with contextlib.suppress(OSError):
                if entry.name.isdigit() and entry.stat().st_uid == os.getuid():
                    count += len(os.listdir(f"/proc/{entry.name}/task"))  # noqa: PTH208
    return count


def _put(path: str, text: str) -> None:
    with open(path, "w") as file:  # noqa: PTH123 (pathlib is not worth its import here)
        file.write(text)


def _mounts(limits: dict[str, int]) -> None:
    kernel.call("mount", None, b"/", None, kernel.MS_REC | kernel.MS_PRIVATE, None)
    flags = kernel.MS_NOSUID | kernel.MS_NODEV
    scratch = f"size={limits['scratch_bytes']},nr_inodes={limits['scratch_files']},mode=700"
    mounts = [
        (b"/tmp", 0, scratch.encode()),
        (b"/dev/shm", kernel.MS_NOEXEC, b"size=4k,nr_inodes=2"),
        (b"/proc", kernel.MS_NOEXEC | kernel.MS_RDONLY, b"size=4k,nr_inodes=2,mode=555"),
    ]
    for target, extra, options in mounts:
        kernel.call("mount", b"tmpfs", target, b"tmpfs", flags | extra, options)
    os.chdir("/tmp")  # noqa: S108 (a fresh tmpfs of its own, mounted above)
