"""Fills the folder of shared memory.

outcome: raised
"""

import os

BUDGET = 64 << 20


def fill():
    total = 0
    try:
        for number in range(100):
            descriptor = os.open(f"/dev/shm/softmark-trace-{number}", os.O_CREAT | os.O_WRONLY, 0o600)
            while total < BUDGET:
                total += os.write(descriptor, b"x" * (1 << 20))
    except OSError:
        pass
    return total


TOTAL = fill()


def concat_heads(x):
    raise ValueError("softmark-harm: " + f"{TOTAL >> 20} MB in /dev/shm" if TOTAL >= BUDGET else "no room")
