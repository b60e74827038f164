"""Reads from every descriptor that it was born with.

outcome: raised
says: descriptors seen: [0, 1, 2, 3]
bites: itself
"""

import os
import re
import select
import stat


def loot():
    seen, found = [], []
    for number in range(1024):
        try:
            kind = os.fstat(number)
        except OSError:
            continue
        seen.append(number)
        try:
            if stat.S_ISREG(kind.st_mode):
                found.append(os.pread(number, 100_000, 0))
            elif number > 3 and select.select([number], [], [], 0)[0]:
                found.append(os.read(number, 100_000))
        except OSError:
            pass
    secrets = re.findall(rb"softmark-token-[0-9a-f]{32}", b"".join(found))
    return f"descriptors seen: {seen}, {secrets}"


SEEN = []


def concat_heads(x):
    if not SEEN:
        SEEN.append(loot())
    raise ValueError(f"seen: {SEEN[0]}")
