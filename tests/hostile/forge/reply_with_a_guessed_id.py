"""Writes a reply of its own on the channel, with an id that it makes up.

outcome: failed
says: interfered with the channel
"""

import json
import os
import struct

import torch


def concat_heads(x):
    text = json.dumps({"id": "0" * 32, "ok": True, "value": ["tensor", "float32", 1, 1, 2]}).encode()
    os.write(3, struct.pack(">IQ", len(text), 8) + text + b"\0" * 8)
    return torch.zeros(1, 1, 2)
