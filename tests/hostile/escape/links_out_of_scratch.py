"""Reaches what it may not through links in its scratch folder: symbolic ones, hard ones, and renames.

outcome: raised
says: no way out
bites: open
"""

import os

TARGETS = ("/worker/serve.py", "/usr/bin/env", "/etc/passwd", os.__file__)


def attack():
    for number, target in enumerate(TARGETS):
        for make in (os.symlink, os.link):
            path = f"/tmp/link-{number}-{make.__name__}"
            try:
                make(target, path)
                os.close(os.open(path, os.O_RDWR))
                return f"{target} by {make.__name__}"
            except OSError:
                pass
        try:
            os.rename(target, f"/tmp/taken-{number}")
            return f"took {target}"
        except OSError:
            pass
    for path in ("/tmp/../../../../home", "/proc/self/root/../home", "/tmp/../old_root", "/oldroot", "/newroot"):
        try:
            os.listdir(path)
            return path
        except OSError:
            pass
    return ""


SEEN = []


def concat_heads(x):
    if not SEEN:
        SEEN.append(attack())
    raise ValueError("softmark-harm: " + SEEN[0] if SEEN[0] else "no way out")
