"""Prints single bytes from many writers, so that there is always something to read, and never answers.

checks: puts_each_head_in_its_columns
outcome: timed_out or failed
"""

import os
import threading


def write():
    while True:
        os.write(1, b"x")


def concat_heads(x):
    for _ in range(8):
        try:
            if os.fork() == 0:
                write()
        except OSError:
            threading.Thread(target=write, daemon=True).start()
    write()
