"""Keeps more in files of memory than it may have memory, each of them small enough.

outcome: raised
"""

import os

BUDGET, PIECE = 320 << 20, 4 << 20


def fill():
    kept, total = [], 0
    try:
        while total < BUDGET:
            descriptor = os.memfd_create("kept")
            kept.append(descriptor)
            while os.fstat(descriptor).st_size < 2 * PIECE:
                total += os.write(descriptor, b"x" * PIECE)
    except (OSError, AttributeError):
        pass
    for descriptor in kept:
        os.close(descriptor)
    return total


TOTAL = fill()


def concat_heads(x):
    raise ValueError("softmark-harm: " + f"{TOTAL >> 20} MB in memory files" if TOTAL >= BUDGET else "no room")
