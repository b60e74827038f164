"""Sends its reply a byte at a time, slowly.

checks: puts_each_head_in_its_columns
outcome: timed_out
says: no answer within
"""

import json
import os
import struct
import sys
import time


def concat_heads(x):
    id_ = sys._getframe(2).f_locals["header"]["id"]
    text = json.dumps({"id": id_, "ok": True, "value": ["tensor", "float64", 100]}).encode()
    for byte in struct.pack(">IQ", len(text), 800) + text + bytes(800):
        os.write(3, bytes([byte]))
        time.sleep(0.01)
    return x
