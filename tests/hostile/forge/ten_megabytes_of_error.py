"""Raises an error of ten megabytes that no encoding can write.

outcome: raised
"""


def concat_heads(x):
    raise ValueError("\ud800\udfff\udc80\x00" * 2_500_000)
