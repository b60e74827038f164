"""Closes all of its descriptors and waits to see what the grader makes of it.

outcome: failed or timed_out
"""

import os
import time


def concat_heads(x):
    os.closerange(0, 65536)
    time.sleep(60)
