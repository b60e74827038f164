"""Sends its reply a byte at a time, slowly.

outcome: timed_out
says: no answer within
"""

import os
import sys
import time

import torch


def concat_heads(x):
    header = sys._getframe(2).f_locals["header"]
    for byte in sys.modules["wire"].frame({"id": header["id"], "ok": True}, torch.zeros(100)):
        os.write(3, bytes([byte]))
        time.sleep(0.01)
    return x
