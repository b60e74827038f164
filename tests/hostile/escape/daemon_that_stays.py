"""Leaves a process behind that has cut every tie with the one that was asked.

outcome: failed or raised
bites: open
says: seen:
"""

import os
import signal
import time

import torch


def leave():
    try:
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT):
                    signal.signal(number, signal.SIG_IGN)
                os.closerange(0, 1024)
                time.sleep(30)
            os._exit(0)
    except OSError:
        pass


SEEN = []


def concat_heads(x):
    if not SEEN:
        SEEN.append(leave())
    print("seen: gone")
    return torch.zeros(1)
