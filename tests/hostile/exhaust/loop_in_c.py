"""Adds up for ever inside of one call, in which Python runs nothing else.

outcome: timed_out
says: an endless loop
"""

import itertools


def concat_heads(x):
    return sum(itertools.repeat(1))
