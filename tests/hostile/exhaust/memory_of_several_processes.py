"""Takes as much memory as it may in each of five processes, so that together they have more.

outcome: raised or timed_out
"""

import os
import time

import torch

EACH = 100 << 20


def take():
    reader, writer = os.pipe()
    pids = []
    try:
        for _ in range(5):
            pids.append(os.fork())
            if pids[-1] == 0:
                kept = torch.ones(EACH, dtype=torch.uint8)
                os.write(writer, b"x")
                time.sleep(1.5)
                os._exit(len(kept) & 0)
    except OSError:
        pass
    os.set_blocking(reader, False)
    time.sleep(0.7)
    try:
        held = len(os.read(reader, 10)) * EACH
    except OSError:
        held = 0
    for pid in pids:
        os.kill(pid, 9)
        os.waitpid(pid, 0)
    return held


HELD = take()


def concat_heads(x):
    raise ValueError("softmark-harm: " + f"{HELD >> 20} MB at once" if HELD > 256 << 20 else "not more than is allowed")
