"""Overwrites Python's own objects: None, True, the type of all types, the function that answers.

outcome: raised or failed or timed_out
says: crashed
bites: itself
"""

import ctypes
import sys


def concat_heads(x):
    for thing in (sys.modules["softmark_worker.serve"].Room.call, sys.modules["softmark_worker.wire"]._frame, type, True):
        ctypes.memset(id(thing) + 16, 0x41, 48)
    return x
