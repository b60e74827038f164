"""Makes files until no number is left for one more.

outcome: raised
open_at: fresh
"""

import os

MANY = 3000


def fill():
    count = 0
    for place in (".", "/tmp", "/dev/shm", "/", "/dev", "/run", "/var/tmp"):
        try:
            while count < MANY:
                os.mkdir(f"{place}/softmark-trace-{count}")
                count += 1
        except OSError:
            pass
    return count


COUNT = fill()


def concat_heads(x):
    raise ValueError("softmark-harm: " + f"{COUNT} folders" if COUNT >= MANY else "no more")
