"""Sends its reply a byte at a time, slowly.

checks: puts_each_head_in_its_columns
outcome: timed_out
says: no answer within
"""

import os
import sys
import time

import torch


def concat_heads(x):
    header = sys._getframe(2).f_locals["header"]
    wire = sys.modules["wire"]
    for byte in b"".join(wire.reply(header["id"], True, torch.zeros(100))):
        os.write(3, bytes([byte]))
        time.sleep(0.01)
    return x
