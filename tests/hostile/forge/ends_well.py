"""Ends its process with status 0, in the way that a passing program does.

outcome: raised
says: ended the Python process itself
"""

import atexit
import os


def concat_heads(x):
    atexit.register(print, "all tests passed")
    os._exit(0)
