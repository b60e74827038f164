"""Ends with status 0, and leaves the channel in the hands of a process that says nothing.

outcome: raised or timed_out or failed
"""

import os
import time


def concat_heads(x):
    try:
        if os.fork() == 0:
            os.setsid()
            time.sleep(20)
    finally:
        os._exit(0)
