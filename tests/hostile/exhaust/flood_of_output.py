"""Prints without end.

outcome: failed
says: printed more than 1 MB
"""


def concat_heads(x):
    while True:
        print("x" * 10_000)
