"""Answers a question that it has only half read, and goes: the grader's end of the channel breaks.

outcome: failed or raised
"""

import json
import os
import struct
import sys


def take(size):
    data = b""
    while len(data) < size:
        data += os.read(3, size - len(data))
    return data


def reply(id_, value, body=b""):
    text = json.dumps({"id": id_, "ok": True, "value": value}).encode()
    left = memoryview(struct.pack(">IQ", len(text), len(body)) + text + body)
    while left:
        left = left[os.write(3, left) :]


def concat_heads(x):
    # This question is answered properly, and the next one by hand, with its tensors left unread.
    right = x.transpose(1, 2).flatten(2).contiguous()
    body = right.numpy().tobytes()
    value = ["tensor", str(right.dtype).removeprefix("torch."), *right.shape]
    frame = sys._getframe()
    while "header" not in frame.f_locals:
        frame = frame.f_back
    reply(frame.f_locals["header"]["id"], value, body + b"\0" * (-len(body) % 8))
    length, _ = struct.unpack(">IQ", take(12))
    header = json.loads(take(length))
    # Large, so that this process is gone before the grader has looked at it all.
    reply(header["id"], ["tensor", "int8", 32_000_000], bytes(32_000_000))
    os._exit(0)
