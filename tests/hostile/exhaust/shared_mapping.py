"""Maps eight gigabytes of shared memory, which not every limit counts.

outcome: raised or out_of_memory
"""

import mmap


def concat_heads(x):
    kept = mmap.mmap(-1, 8 << 30, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)
    raise ValueError("softmark-harm: " + f"{len(kept) >> 30} GB are mapped")
