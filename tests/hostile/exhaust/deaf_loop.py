"""Loops for ever, deaf to every signal that can be ignored.

outcome: timed_out
says: an endless loop
"""

import signal


def concat_heads(x):
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
