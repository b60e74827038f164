"""Matches a pattern that tries every way to divide a line.

checks: puts_each_head_in_its_columns
outcome: timed_out
"""

import re


def concat_heads(x):
    return re.match("(a*)*b", "a" * 60)
