"""Adds up for ever inside of one call, in which Python runs nothing else.

checks: puts_each_head_in_its_columns
outcome: timed_out
says: an endless loop
"""

import itertools


def concat_heads(x):
    return sum(itertools.repeat(1))
