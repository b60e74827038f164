"""Hangs, and says when it is asked where that it is in line 1111... of five thousand digits.

checks: puts_each_head_in_its_columns
outcome: timed_out
"""

import os
import signal

LINE = b'\n  File "<x>", line ' + b"1" * 5000 + b" in f\n"


def say(*_):
    os.write(1, LINE)


def concat_heads(x):
    signal.signal(signal.SIGUSR1, say)
    while True:
        pass
