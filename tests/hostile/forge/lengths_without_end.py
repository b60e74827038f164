"""Announces a reply of eighteen exabytes.

outcome: failed
says: interfered with the channel
"""

import os
import struct


def concat_heads(x):
    os.write(3, struct.pack(">IQ", 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF))
    return x
