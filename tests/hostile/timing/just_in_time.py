"""Takes a little less time than a call may, in every call.

outcome: timed_out or failed
says: for the whole submission
"""

import time


def concat_heads(x):
    time.sleep(0.55)
    return x.transpose(1, 2).flatten(2)
