"""Replies from a thread before it is asked, again and again.

outcome: failed
says: interfered with the channel
"""

import os
import struct
import threading
import time

REPLY = b'{"id":"","ok":true,"value":null}'


def chatter():
    while True:
        os.write(3, struct.pack(">IQ", len(REPLY), 0) + REPLY)
        time.sleep(0.001)


def concat_heads(x):
    threading.Thread(target=chatter, daemon=True).start()
    time.sleep(0.05)
    return x
