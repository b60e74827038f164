"""Prints single bytes from many writers, so that there is always something to read, and never answers.

exercise: scaled_dot_product_attention
checks: follows_its_definition
outcome: timed_out or failed
"""

import os
import threading


def write():
    while True:
        os.write(1, b"x")


def scaled_dot_product_attention(Q, K, V, mask=None):
    for _ in range(8):
        try:
            if os.fork() == 0:
                write()
        except OSError:
            threading.Thread(target=write, daemon=True).start()
    write()
