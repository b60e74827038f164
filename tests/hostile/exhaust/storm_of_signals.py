"""Has itself interrupted ten thousand times a second, by a handler that raises.

outcome: raised or timed_out or failed
"""

import signal

import torch


def interrupt(*_):
    raise InterruptedError("again")


def concat_heads(x):
    for timer, number in (
        (signal.ITIMER_REAL, signal.SIGALRM),
        (signal.ITIMER_VIRTUAL, signal.SIGVTALRM),
        (signal.ITIMER_PROF, signal.SIGPROF),
    ):
        signal.signal(number, interrupt)
        signal.setitimer(timer, 0.0001, 0.0001)
    return torch.zeros(1)
