"""Describes an error whose traceback is made of lists, so that the grader's own look-up fails.

outcome: raised or failed
"""

import sys


def lie():
    sys.modules["softmark_worker.describe_error"].describe = lambda error: {
        "type": [], "text": {"a": []}, "frames": [[[], 1, "f"], [{"a": 1}, 2, "g"], ["x", 10**70, None]], "memory": "yes"
    }


SEEN = []


def concat_heads(x):
    if not SEEN:
        SEEN.append(lie())
    raise ValueError
