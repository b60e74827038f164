"""Makes a file with a terabyte of nothing in it, and maps it.

outcome: raised or out_of_memory
"""

import mmap
import os


def concat_heads(x):
    descriptor = os.open("softmark-trace", os.O_CREAT | os.O_RDWR, 0o600)
    os.ftruncate(descriptor, 1 << 40)
    mmap.mmap(descriptor, 1 << 40)
    raise ValueError("softmark-harm: " + "a terabyte")
