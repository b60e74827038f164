"""Matches a pattern that tries every way to divide a line.

outcome: timed_out
"""

import re


def concat_heads(x):
    return re.match("(a*)*b", "a" * 60)
