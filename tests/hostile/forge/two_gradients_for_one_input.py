"""Claims two gradients where there is one input, so that a check which unpacks one falls over.

checks: passes_gradients_back puts_each_head_in_its_columns
outcome: failed or raised
"""

import sys


def lie():
    sys.modules["softmark_worker.serve"].Room.gradients = lambda self, target, args, kwargs, upstream: {
        "answer": args[0], "inputs": [args[0], args[0]], "parameters": {"x": None}
    }


SEEN = []


def concat_heads(x):
    if not SEEN:
        SEEN.append(lie())
    return x
