"""Writes to the stream of errors without end, from many threads, past Python's buffers.

outcome: failed
says: printed more than 1 MB
"""

import os
import threading


def write():
    while True:
        os.write(2, b"\x1b[31m" * 1000)


def concat_heads(x):
    for _ in range(8):
        threading.Thread(target=write, daemon=True).start()
    write()
