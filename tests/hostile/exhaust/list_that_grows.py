"""Takes memory in pieces, and goes on when it is told that there is none.

outcome: out_of_memory or timed_out or raised
"""

KEPT = []


def concat_heads(x):
    size = 1 << 24
    while size > 64:
        try:
            KEPT.append(bytearray(size))
        except MemoryError:
            size //= 2
    raise MemoryError
