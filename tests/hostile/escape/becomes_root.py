"""Asks for root, for every capability and for other groups.

outcome: raised
says: seen:
bites: open
"""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
USER = 0x10000000  # CLONE_NEWUSER


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


def attack():
    header, all_of_them = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)(*[0xFFFFFFFF] * 6)
    if libc.capset(ctypes.byref(header), ctypes.byref(all_of_them)) == 0:
        return "softmark-harm: " + "has capabilities"
    none = (ctypes.c_uint32 * 6)()
    if libc.capget(ctypes.byref(header), ctypes.byref(none)) == 0 and any(none):
        return "softmark-harm: " + f"kept capabilities {list(none)}"
    for attempt in (lambda: os.setuid(0), lambda: os.setresuid(0, 0, 0), lambda: os.setreuid(-1, 0),
                    lambda: os.setgid(0), lambda: os.setgroups([0]), lambda: os.setuid(1), lambda: os.setgid(4)):
        try:
            attempt()
            return "softmark-harm: " + f"is {os.getresuid()} {os.getresgid()}"
        except OSError:
            pass
    if libc.prctl(4, 1, 0, 0, 0) == 0 and libc.prctl(47, 2, 21, 0, 0) == 0:
        return "softmark-harm: " + "has an ambient capability"
    return in_a_fork(lambda: "softmark-harm: " + "root of its own" if libc.unshare(USER) == 0 else "nobody still")


SEEN = []


def concat_heads(x):
    if not SEEN:
        SEEN.append(attack())
    raise ValueError(f"seen: {SEEN[0]}")
