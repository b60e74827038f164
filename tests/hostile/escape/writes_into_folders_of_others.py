"""Writes into the working folders of other processes.

outcome: raised
says: seen:
bites: open
"""

import glob
import os


def attack():
    for path in glob.glob("/proc/[0-9]*/cwd"):
        try:
            # Only where the test wants to see it: at the level `open` this is a real machine.
            if os.path.basename(os.readlink(path)) == "softmark-home":
                with open(f"{path}/softmark-trace", "w") as file:
                    file.write("was here")
        except OSError:
            pass


SEEN = []


def concat_heads(x):
    if not SEEN:
        SEEN.append(attack())
    raise ValueError("seen: every folder")
