"""Runs a shell, which could run anything.

outcome: raised
bites: open
says: no shell
"""

import os
import subprocess


def attack():
    for shell in ("/bin/sh", "/usr/bin/sh", "/bin/bash", "/usr/bin/env", "/bin/busybox"):
        try:
            return subprocess.run([shell, "-c", "echo a shell"], capture_output=True, text=True, timeout=2).stdout
        except (OSError, subprocess.SubprocessError):
            pass
    try:
        return os.popen("echo a shell").read()
    except OSError:
        return ""


SEEN = []


def concat_heads(x):
    if not SEEN:
        SEEN.append(attack())
    raise ValueError("softmark-harm: " + SEEN[0].strip() if SEEN[0] else "no shell")
