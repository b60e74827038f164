"""What encloses one submission: its own namespaces, limits and file descriptors.

Runs inside the box, between the warm interpreter's fork and the student's first line. Any step that
fails is reported to the host and ends the process: student code never runs half enclosed.
"""

import contextlib
import ctypes
import faulthandler
import json
import os
import resource
import select
import signal
import sys
from collections.abc import Callable, Iterator
from typing import Any

NOBODY = 200_001  # a uid of nobody's: for uid 0 the kernel does not count processes
WHERE = signal.SIGUSR1  # asks the student's process to print its traceback
CHANNEL = 3  # the descriptor of the channel in the student's process

# linux/sched.h
_CLONE_NEWNS = 0x00020000
_CLONE_NEWCGROUP = 0x02000000
_CLONE_NEWUTS = 0x04000000
_CLONE_NEWIPC = 0x08000000
_CLONE_NEWUSER = 0x10000000
_CLONE_NEWPID = 0x20000000
_CLONE_NEWNET = 0x40000000
# linux/mount.h
_MS_RDONLY, _MS_NOSUID, _MS_NODEV, _MS_NOEXEC, _MS_REC, _MS_PRIVATE = 1, 2, 4, 8, 16384, 1 << 18
# linux/prctl.h
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVS = 1, 4, 38
# linux/capability.h
_CAPABILITY_VERSION_3 = 0x20080522


def warden(
    limits: dict[str, int],
    nested: bool,
    channel: int,
    output: int,
    status: int,
    leash: int,
    run: Callable[[int], None],
) -> None:
    """Fork the student's process, wait for it, report on `status` how it ended. Never returns.

    The host holds the other end of `leash`: when that end closes, on purpose or because the host
    died, the student's process and everything it started are killed. A byte on it asks the student's
    process to print where it is.
    """
    with _or_end(status):
        wakeup = _wake_on_child()
        if nested:
            _own_namespaces()
        student = os.fork()
        if student == 0:
            _student(limits, nested, channel, output, status, run)
        _say(status, forked=True)
        os.close(channel)
        os.close(output)
        _report(status, *_wait(student, wakeup, leash, nested))
    os._exit(0)


def _student(
    limits: dict[str, int], nested: bool, channel: int, output: int, status: int, run: Callable[[int], None]
) -> None:
    with _or_end(status):
        _enclose(limits, nested, channel, output, status)
    # From here on no descriptor is left on which a failure of ours could be claimed.
    try:
        run(CHANNEL)
    finally:
        os._exit(0)


@contextlib.contextmanager
def _or_end(status: int) -> Iterator[None]:
    """End the process with a report when a step of the cage fails."""
    try:
        yield
    except BaseException as error:
        with contextlib.suppress(OSError):
            _say(status, failed=f"{type(error).__name__}: {error}"[:500])
        os._exit(1)


def leave_root() -> None:
    """Give up root, where one is root, and close this process to others of the same user."""
    if os.getuid() == 0:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    dumpable(False)


def die_with_parent() -> None:
    """Have this process killed when its parent ends, where the kernel can do so."""
    if sys.platform == "linux":
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def prctl(option: int, value: int) -> None:
    """Set one option of this process; OSError where the kernel refuses (prctl, section 2)."""
    _checked("prctl", option, value, 0, 0, 0)


def dumpable(yes: bool) -> None:
    """Whether other processes of the same user may trace this one, and it may write its own /proc."""
    prctl(_PR_SET_DUMPABLE, int(yes))


def _wake_on_child() -> int:
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(writer)
    return reader


def _wait(student: int, wakeup: int, leash: int, nested: bool) -> tuple[int, Any]:
    while True:
        ready, _, _ = select.select([wakeup, leash], [], [])
        if leash in ready:
            if os.read(leash, 1):
                _signal(student, WHERE)
                continue
            _kill(student, nested)
            _, code, usage = os.wait4(student, 0)
            return code, usage
        os.read(wakeup, 64)
        pid, code, usage = os.wait4(student, os.WNOHANG)
        if pid == student:
            _kill(student, nested)
            return code, usage


def _kill(student: int, nested: bool) -> None:
    # Nested, the student is pid 1 of its namespace: the kernel ends everything in it with it.
    _signal(student if nested else -student, signal.SIGKILL)


def _signal(process: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(process, number)


def _report(status: int, code: int, usage: Any) -> None:
    cpu_s = round(usage.ru_utime + usage.ru_stime, 4)
    _say(status, exit=os.waitstatus_to_exitcode(code), cpu_s=cpu_s, max_rss_kb=usage.ru_maxrss)


def _say(status: int, **fields: Any) -> None:
    """One line of JSON for the host: that it forked, that a step failed, or how it ended."""
    os.write(status, json.dumps(fields).encode() + b"\n")


def _own_namespaces() -> None:
    uid, gid = os.getuid(), os.getgid()
    kinds = _CLONE_NEWNS | _CLONE_NEWUTS | _CLONE_NEWIPC | _CLONE_NEWPID | _CLONE_NEWNET | _CLONE_NEWCGROUP
    dumpable(True)  # a process that changed its uid may not write its own uid_map otherwise
    _checked("unshare", _CLONE_NEWUSER | kinds)
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with open(f"/proc/self/{name}", "w") as file:  # noqa: PTH123 (pathlib is not worth its import here)
            file.write(text)


def _enclose(limits: dict[str, int], nested: bool, channel: int, output: int, status: int) -> None:
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    status = _descriptors(channel, output, status)
    # Written in C at the signal, so that it works in an endless loop too, Python's or C's.
    faulthandler.register(WHERE, file=2, all_threads=False)
    base = _address_space()
    if nested:
        _mounts()
    die_with_parent()
    if sys.platform == "linux":
        prctl(_PR_SET_NO_NEW_PRIVS, 1)
        dumpable(False)
    _limit(limits, base)
    if nested:
        _no_capabilities()
    os.close(status)


def _descriptors(channel: int, output: int, status: int) -> int:
    """Leave nothing to read on 0, the output pipe on 1 and 2, the channel on 3; return where `status` is."""
    null = os.open(os.devnull, os.O_RDONLY)
    wanted = ((null, 0), (output, 1), (output, 2), (channel, CHANNEL), (status, CHANNEL + 1))
    # Moved out of the way first: the numbers 0 to 4 may be taken by what is about to be moved there.
    for source, target in [(os.dup2(source, 100 + target), target) for source, target in wanted]:
        os.dup2(source, target)
    os.closerange(CHANNEL + 2, 65536)
    return CHANNEL + 1


def _mounts() -> None:
    _checked("mount", None, b"/", None, _MS_REC | _MS_PRIVATE, None)
    flags = _MS_NOSUID | _MS_NODEV
    for target, extra, options in (
        (b"/tmp", 0, b"size=64m,nr_inodes=1000,mode=700"),
        (b"/dev/shm", _MS_NOEXEC, b"size=4k,nr_inodes=2"),
        (b"/proc", _MS_NOEXEC | _MS_RDONLY, b"size=4k,nr_inodes=2,mode=555"),
    ):
        _checked("mount", b"tmpfs", target, b"tmpfs", flags | extra, options)
    os.chdir("/tmp")  # noqa: S108 (a fresh one of its own, since a moment)


def _address_space() -> int:
    """Bytes of address space that the warm interpreter already takes; 0 where the kernel does not say."""
    try:
        with open("/proc/self/statm") as file:  # noqa: PTH123
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 0


def _limit(limits: dict[str, int], base: int) -> None:
    wanted = {
        # Address space catches shared mappings too, which RLIMIT_DATA does not count.
        "RLIMIT_AS": base + limits["memory_bytes"] if base else None,
        "RLIMIT_CPU": limits[
            "cpu_s"
        ],  # hard = soft: pid 1 may ignore SIGXCPU, never the kill at the hard limit
        "RLIMIT_FSIZE": limits["file_bytes"],
        "RLIMIT_NOFILE": limits["files"],
        "RLIMIT_NPROC": limits["processes"],  # after unshare, or it would cap all submissions together
        "RLIMIT_CORE": 0,
    }
    for name, value in wanted.items():
        if value is not None and hasattr(resource, name):
            kind = getattr(resource, name)
            hard = resource.getrlimit(kind)[1]
            value = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(kind, (value, value))


def _no_capabilities() -> None:
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    _checked("capset", ctypes.byref(header), ctypes.byref((ctypes.c_uint32 * 6)()))


def _checked(name: str, *args: Any) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if getattr(libc, name)(*args) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
