"""Raises seven to the power of a billion.

outcome: timed_out or out_of_memory or raised
"""


def power(exponent):
    return 7**exponent


def concat_heads(x, exponent=10**9):
    return power(exponent)
