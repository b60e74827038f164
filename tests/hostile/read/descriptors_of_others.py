"""Opens what other processes have open: deleted files, memory files, pipes.

outcome: raised
bites: open
"""

import glob
import os
import re
import stat


def loot():
    found = set()
    for path in glob.glob("/proc/[0-9]*/fd/*") + glob.glob("/dev/fd/*"):
        try:
            # Only files: to read from somebody's pipe would take its bytes away.
            if not stat.S_ISREG(os.stat(path).st_mode):
                continue
            with open(path, "rb") as file:
                found |= set(re.findall(rb"softmark-token-[0-9a-f]{32}", file.read(100_000)))
        except OSError:
            pass
    return found


LOOT = loot()


class Answer:
    def __repr__(self):
        return f"<{LOOT}>"


def concat_heads(x):
    print(LOOT)
    raise ValueError(Answer())
