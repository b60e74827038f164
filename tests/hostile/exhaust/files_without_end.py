"""Fills its scratch folder with files of the largest size that is allowed.

outcome: raised
"""

import os

BUDGET = 200 << 20


def fill():
    total = 0
    for number in range(400):
        try:
            with open(f"softmark-trace-{number}", "wb", 0) as file:
                for _ in range(8):
                    total += file.write(b"x" * (1 << 20))
                    if total > BUDGET:
                        return total
        except OSError:
            pass
        if total == 0 and number > 10:
            break
    return total


TOTAL = fill()


def concat_heads(x):
    raise ValueError("softmark-harm: " + f"{TOTAL >> 20} MB of files" if TOTAL > BUDGET else "no room")
