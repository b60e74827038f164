"""Leaves a file for the next submission in every folder outside of its own, and looks for one left before.

outcome: raised
"""

import os

NAME = "softmark-trace"
OWN = ("/tmp", "/dev/shm")


def attack():
    done = []
    for folder, folders, _ in os.walk("/"):
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


FOUND = attack()


def concat_heads(x):
    raise ValueError("softmark-harm: " + ", ".join(FOUND[:5]) if FOUND else "no room for a note")
