"""Answers with a tuple that never ends when it is read.

checks: puts_each_head_in_its_columns
outcome: out_of_memory or timed_out or raised
"""

import itertools


class Endless(tuple):
    def __iter__(self):
        return itertools.repeat(None)


def concat_heads(x):
    return Endless()
