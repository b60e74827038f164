"""Replies with the right id and numbers that JSON readers stumble over.

outcome: failed
says: interfered with the channel
"""

import json
import os
import struct
import sys

ODD = [
    '{"float": "0x1p99999999"}', '{"float": "nan"}', "1e400", "-Infinity", "NaN", '{"float": 3}', "9" * 5000,
    '{"list": [' + ",".join("1" * 20_000) + "]}", '{"tensor": -1}', '{"tensor": true}', '{"object": []}',
    '{"dict": [[[], 1]]}', '{"dict": {"a": 1}}', '{"tuple": "abc", "list": []}', '{"list": 5}', "{}", "[[]]",
]
TENSORS = [
    [], {}, None, [{"dtype": "float128", "shape": []}], [{"dtype": "float32", "shape": [2147483647] * 4 + [0]}],
    [{"dtype": "float32", "shape": [-1]}], [{"dtype": "float32", "shape": [True]}],
    [{"dtype": "float32", "shape": [1] * 40}], [{"dtype": "bool", "shape": [1 << 62, 1 << 62]}],
    [{"dtype": [], "shape": []}], [{"dtype": "int8"}], [{"dtype": "int8", "shape": [1]}] * 5000,
]
AT = []


def concat_heads(x):
    frame = sys._getframe(2)
    AT.append(0)
    value, tensors = ODD[len(AT) % len(ODD)], TENSORS[len(AT) % len(TENSORS)]
    fields = f'{{"id": {json.dumps(frame.f_locals["header"]["id"])}, "ok": true, "value": {value}, '
    header = (fields + f'"tensors": {json.dumps(tensors)}}}').encode()
    os.write(3, struct.pack(">IQ", len(header), 3) + header + b"abc")
    os._exit(0)
