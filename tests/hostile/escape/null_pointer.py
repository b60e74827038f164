"""Reads where nothing is.

outcome: raised
says: SIGSEGV
bites: itself
"""

import ctypes


def concat_heads(x):
    return ctypes.string_at(0)
