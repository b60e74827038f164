"""Makes small objects until nothing is left.

outcome: out_of_memory or timed_out or raised
"""

import gc

KEPT = []

def concat_heads(x):
    gc.disable()
    while True:
        KEPT.append([{}, set(), KEPT])
