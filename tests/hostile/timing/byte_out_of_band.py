"""Sends a byte out of band, which makes the channel readable without anything to read, and never answers.

checks: puts_each_head_in_its_columns
outcome: timed_out or failed
"""

import socket
import time


def concat_heads(x):
    try:
        channel = socket.socket(fileno=3)
        channel.send(b"x", socket.MSG_OOB)
        channel.detach()
    except OSError:
        pass
    time.sleep(3600)
