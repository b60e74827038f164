"""Python's garbage collector during a check: it looks at new objects alone, and seldom."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

SELDOM = (10_000, 20, 20)  # new objects, and collections of them, between two of the next older objects


@contextmanager
def collecting_seldom() -> Iterator[None]:
    """In the block, the collector passes over what was there before; afterwards it does as it did.

    A check makes many objects that stay: modules, and what an answer key holds. With Python's own thresholds
    the collector goes through all objects of the notebook again and again, which took a third of the
    first check of wrong code. Without any collection, large models would stay in memory.
    """
    thresholds, has_frozen = gc.get_threshold(), gc.get_freeze_count() > 0
    gc.set_threshold(*SELDOM)
    if not has_frozen:  # else we would thaw what the notebook has frozen
        gc.freeze()
    try:
        yield
    finally:
        if not has_frozen:
            gc.unfreeze()
        gc.set_threshold(*thresholds)
