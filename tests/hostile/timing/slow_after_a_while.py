"""Answers five calls rightly and then never again.

outcome: timed_out
says: no answer within
"""

import time

CALLS = []


def concat_heads(x):
    CALLS.append(0)
    if len(CALLS) > 5:
        time.sleep(3600)
    return x.transpose(1, 2).flatten(2)
