"""Leaves a file for the next submission in every folder outside of its own, and looks for one left before.

outcome: raised
says: no room for a note
bites: open
"""

import itertools
import os
import time

NAME = "softmark-trace"
OWN = ("/tmp", "/dev/shm")
LIKELY = ("/", "/worker", "/env", "/etc", "/var/tmp", "/run", "/run/lock", "/srv", "/opt", os.path.expanduser("~"))


def attack():
    done, until = [], time.monotonic() + 0.5
    for folder, folders, _ in itertools.chain(((f, [], []) for f in LIKELY), os.walk("/")):
        if time.monotonic() > until:
            break
        folders[:] = [f for f in folders if os.path.join(folder, f) not in ("/usr", "/sys", "/env", "/root")]
        path = os.path.join(folder, NAME)
        if os.path.exists(path):
            done.append(f"found {path}")
        if not folder.startswith(OWN):
            try:
                os.close(os.open(path, os.O_CREAT | os.O_WRONLY))
                done.append(f"left {path}")
            except OSError:
                pass
    return done


SEEN = []


def concat_heads(x):
    if not SEEN:
        SEEN.append(attack())
    raise ValueError("softmark-harm: " + ", ".join(SEEN[0][:5]) if SEEN[0] else "no room for a note")
