"""Raises seven to the power of a billion.

checks: puts_each_head_in_its_columns
outcome: timed_out or out_of_memory or raised
"""


def power(exponent):
    return 7**exponent


def concat_heads(x, exponent=10**9):
    return power(exponent)
