"""Replies from a thread before it is asked, again and again.

outcome: failed
says: interfered with the channel
"""

import os
import sys
import threading
import time


def chatter():
    frame = sys.modules["wire"].frame
    while True:
        os.write(3, frame({"id": "", "ok": True}, None))
        time.sleep(0.001)


def concat_heads(x, thread=threading.Thread(target=chatter, daemon=True)):
    if not thread.is_alive():
        thread.start()
    time.sleep(0.05)
    return x
