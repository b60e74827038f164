"""System calls that Python does not offer, and their constants, under the kernel's own names."""

import ctypes
import os
import platform
import signal
import sys
from typing import Any

# linux/sched.h
CLONE_NEWNS = 0x00020000
CLONE_NEWCGROUP = 0x02000000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000
CLONE_PARENT = 0x00008000
# linux/mount.h
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REC, MS_PRIVATE = 1, 2, 4, 8, 16384, 1 << 18
# linux/prctl.h, linux/seccomp.h
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 24, 38
PR_SET_THP_DISABLE = 41
SECCOMP_MODE_FILTER = 2
# linux/capability.h
CAPABILITY_VERSION_3 = 0x20080522
CAP_SETGID, CAP_SETUID, CAPABILITIES = 6, 7, 64

# asm/unistd.h: the number of clone on the machines that PyTorch is built for.
_CLONE = {"x86_64": 56, "aarch64": 220}


class _Filter(ctypes.Structure):
    """struct sock_fprog of linux/filter.h."""

    _fields_ = (("len", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def call(name: str, *args: Any) -> int:
    """Call a function of the C library and return its result.

    Raises:
        OSError: it returned a negative number. The error's `filename` is the function's name.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    answer: int = getattr(libc, name)(*args)
    if answer < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), name)
    return answer


def fork_into(namespaces: int) -> int:
    """`os.fork`, with the child in new namespaces and pid 1 of its own (clone(2)).

    `unshare` would need a second fork, and copying a warm interpreter's page tables is most of the cost.
    The C library does not see this fork, so the process must have a single thread.

    Raises:
        OSError: the kernel refuses.
    """
    # PyDLL keeps the interpreter's lock, as os.fork does.
    number = ctypes.c_long(_CLONE[platform.machine()])
    clone = ctypes.PyDLL(None, use_errno=True).syscall
    clone.restype = ctypes.c_long
    nothing = [ctypes.c_long(0)] * 4
    ctypes.pythonapi.PyOS_BeforeFork()
    pid: int = clone(number, ctypes.c_long(namespaces | signal.SIGCHLD), *nothing)
    if pid == 0:
        ctypes.pythonapi.PyOS_AfterFork_Child()
        return 0
    ctypes.pythonapi.PyOS_AfterFork_Parent()
    if pid < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error), "clone")
    return pid


def fork_beside() -> int:
    """`os.fork`, with a child of this process's parent; it is in the namespaces that this process has joined.

    Raises:
        OSError: the kernel refuses.
    """
    return fork_into(CLONE_PARENT)


def setns(descriptor: int, kind: int) -> None:
    """Join a namespace of this kind, given as its opened file of /proc (setns(2)).

    Raises:
        OSError: the kernel refuses.
    """
    call("setns", descriptor, kind)


def prctl(option: int, value: int, more: Any = 0) -> None:
    """Set one option of this process (prctl(2))."""
    call("prctl", option, value, more, 0, 0)


def die_with_parent() -> None:
    """Have this process killed when its parent ends, where the kernel can do so."""
    if sys.platform == "linux":
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def dumpable(yes: bool) -> None:
    """Set whether other processes of the user may trace this one, and it may write its own /proc."""
    prctl(PR_SET_DUMPABLE, int(yes))


def small_pages() -> None:
    """Give this process no more huge pages; those that it has from its parent stay (prctl(2))."""
    prctl(PR_SET_THP_DISABLE, 1)


def no_new_privileges() -> None:
    """Let no program that this process starts ever have more rights than it (prctl(2))."""
    prctl(PR_SET_NO_NEW_PRIVS, 1)


def no_capabilities() -> None:
    """Give up every capability (capabilities(7))."""
    _set_capabilities(0)


def keep_capabilities(kept: list[int]) -> None:
    """Give up every capability but these, for this process and whatever program it may start."""
    for number in range(CAPABILITIES):
        if number not in kept:
            try:
                prctl(PR_CAPBSET_DROP, number)
            except OSError:  # this kernel has no capability of that number, nor of any higher one
                break
    _set_capabilities(sum(1 << number for number in kept))


def _set_capabilities(mask: int) -> None:
    """Set the effective and permitted capabilities; none can be inherited."""
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    low, high = mask & 0xFFFFFFFF, mask >> 32
    call("capset", ctypes.byref(header), ctypes.byref((ctypes.c_uint32 * 6)(low, low, 0, high, high, 0)))


def filter_calls(program: bytes) -> None:
    """Let a filter decide about every further system call (seccomp(2)). `program` is compiled BPF."""
    described = _Filter(len(program) // 8, program)
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(described))
