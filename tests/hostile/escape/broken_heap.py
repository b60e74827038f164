"""Frees memory twice and writes past the end of what it has, until the process falls over.

outcome: raised or timed_out
says: crashed
bites: itself
"""

import ctypes

libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
libc.free.argtypes = [ctypes.c_void_p]


def concat_heads(x):
    place = libc.malloc(40)
    ctypes.memset(place, 0xFF, 1 << 16)
    libc.free(place)
    libc.free(place)
    libc.free(place + 8)
    return x
