"""Starts threads until no more is to be had.

outcome: raised or timed_out
"""

import threading
import time

MANY = 1000


def start():
    count = 0
    threading.stack_size(64 << 10)
    try:
        while count < MANY:
            threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
            count += 1
    except RuntimeError:
        pass
    return count


def concat_heads(x):
    count = start()
    raise ValueError("softmark-harm: " + f"{count} threads" if count >= MANY else "no more threads")
