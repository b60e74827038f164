"""Claims that its errors are in lines that its file does not have: before the first, and beyond any number.

outcome: raised
"""

import sys

LINES = [0, -1, -(10**70), 10**70, 2**31, 2**63]
AT = []


def described(error):
    AT.append(0)
    label = concat_heads.__code__.co_filename
    return {"type": "Error", "text": "", "frames": [[label, LINES[len(AT) % 6], "f"]], "memory": False}


def concat_heads(x):
    sys.modules["softmark_worker.describe_error"].describe = described
    raise ValueError
