"""Kills its parent, the first process, its group, and everything that it may kill.

outcome: raised or failed or timed_out
says: seen:
bites: open
"""

import os
import signal


def concat_heads(x):
    for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGKILL):
        for target in (os.getppid(), 1, 2, 3, -1, -2):
            try:
                # 0 would be its own group, which is no attack on anybody else.
                os.kill(target or 1, number)
            except OSError:
                pass
    raise ValueError("seen: still here")
