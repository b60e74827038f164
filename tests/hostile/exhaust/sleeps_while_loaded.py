"""Sleeps for an hour while it is loaded.

outcome: timed_out
"""

import time


def concat_heads(x, _=time.sleep(3600)):
    return x
