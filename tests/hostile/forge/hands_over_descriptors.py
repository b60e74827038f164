"""Sends descriptors along with bytes, and half-closes the channel in both ways.

checks: puts_each_head_in_its_columns
outcome: failed or timed_out or raised
"""

import os
import socket
import time


def concat_heads(x):
    channel = socket.socket(fileno=os.dup(3))
    try:
        socket.send_fds(channel, [b"\0" * 12], [0, 1, 2] * 20)
    except OSError:
        pass
    channel.shutdown(socket.SHUT_RD if x.shape[0] % 2 else socket.SHUT_WR)
    time.sleep(3600)
