"""Answers with a tuple that never ends when it is read.

outcome: out_of_memory or timed_out or raised
"""

import itertools


class Endless(tuple):
    def __iter__(self):
        return itertools.repeat(None)


def concat_heads(x):
    return Endless()
