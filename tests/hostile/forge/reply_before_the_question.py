"""Replies from a thread before it is asked, again and again.

outcome: failed
says: interfered with the channel
"""

import os
import sys
import threading
import time


def chatter():
    wire = sys.modules["wire"]
    while True:
        os.write(3, b"".join(wire.reply("", True, None)))
        time.sleep(0.001)


def concat_heads(x):
    threading.Thread(target=chatter, daemon=True).start()
    time.sleep(0.05)
    return x
