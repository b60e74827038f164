"""Answers rightly, and then changes all that PyTorch and Python share, for whoever comes next.

outcome: passed or failed or raised
points: 2
"""

import contextlib
import gc
import os
import signal
import sys

import torch

CHANGES = (
    lambda: torch.set_default_dtype(torch.float16),
    lambda: torch.set_grad_enabled(False),
    lambda: torch.set_num_threads(64),
    lambda: torch.manual_seed(1),
    lambda: torch.set_flush_denormal(True),
    lambda: torch.autograd.set_detect_anomaly(True),
    lambda: setattr(torch.Tensor, "flatten", lambda x, *_: x * 0),
    lambda: setattr(torch.Tensor, "transpose", lambda x, *_: x),
    lambda: sys.modules.update({"torch.nn": None, "torch.fx": None}),
    lambda: sys.setrecursionlimit(100),
    lambda: gc.disable(),
    lambda: os.environ.update(OMP_NUM_THREADS="64"),
    lambda: signal.signal(signal.SIGALRM, signal.SIG_IGN),
    lambda: os.nice(19),
    lambda: os.sched_setaffinity(0, {0}),
)


def concat_heads(x):
    y = x.transpose(1, 2).flatten(2)
    for change in CHANGES:
        with contextlib.suppress(Exception):
            change()
    return y
