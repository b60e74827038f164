"""Answers the grader's question where it hangs with other lines, and goes on hanging.

checks: puts_each_head_in_its_columns
outcome: timed_out
says: no answer within
bites: itself
"""

import faulthandler
import os
import signal


def lie(*_):
    os.write(1, b'  File "solutions/concat_heads.py", line 6 in concat_heads\n' * 1000)


def concat_heads(x):
    faulthandler.unregister(signal.SIGUSR1)
    signal.signal(signal.SIGUSR1, lie)
    while True:
        pass
