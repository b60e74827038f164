"""How fast this machine multiplies on one thread, as this process finds it: no code can do it faster."""

import time

import torch

SIZE, TIMES = 256, 8
_best = [0.0]


def measure_rate() -> float:
    """FLOP/s of the product of two matrices, the best of all that this process has measured so far.

    So code that keeps the machine busy in that moment does not make it seem slow.
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    generator = torch.Generator().manual_seed(1)
    first, second = (torch.rand(SIZE, SIZE, generator=generator) for _ in range(2))
    for _ in range(TIMES):
        started = time.process_time()
        torch.mm(first, second)
        _best[0] = max(_best[0], 2 * SIZE**3 / max(1e-9, time.process_time() - started))
    torch.set_num_threads(threads)
    return _best[0]
