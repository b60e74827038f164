"""Sends a byte out of band, which makes the channel readable without anything to read, and never answers.

exercise: scaled_dot_product_attention
checks: follows_its_definition
outcome: timed_out or failed
"""

import socket
import time


def scaled_dot_product_attention(Q, K, V, mask=None):
    try:
        channel = socket.socket(fileno=3)
        channel.send(b"x", socket.MSG_OOB)
        channel.detach()
    except OSError:
        pass
    time.sleep(3600)
