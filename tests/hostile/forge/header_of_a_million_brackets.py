"""Replies with JSON so deep that a parser which recurses falls over.

outcome: failed
says: interfered with the channel
"""

import os
import struct


def concat_heads(x):
    header = b'{"id": ' + b"[" * 1_000_000 + b"]" * 1_000_000 + b"}"
    os.write(3, struct.pack(">IQ", len(header), 0) + header)
    os._exit(0)
