"""Answers a question that it has only half read, and goes: the grader's end of the channel breaks.

outcome: failed or raised
"""

import json
import os
import struct
import sys

import torch


def take(size):
    data = b""
    while len(data) < size:
        data += os.read(3, size - len(data))
    return data


def concat_heads(x):
    # This question is answered properly, and the next one by hand, with its tensors left unread.
    header = sys._getframe(2).f_locals["header"]
    wire = sys.modules["wire"]
    os.write(3, b"".join(wire.reply(header["id"], True, x.transpose(1, 2).flatten(2))))
    length, _ = struct.unpack(">IQ", take(12))
    header = json.loads(take(length))
    # Large, so that this process is gone before the grader has looked at it all.
    answer = memoryview(b"".join(wire.reply(header["id"], True, torch.zeros(8_000_000))))
    while answer:
        answer = answer[os.write(3, answer) :]
    os._exit(0)
