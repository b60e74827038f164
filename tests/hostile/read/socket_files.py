"""Connects to every socket that has a file.

outcome: raised
bites: open
says: seen:
"""

import glob
import re
import socket


def names():
    found = set(glob.glob("/tmp/*/socket") + glob.glob("/run/*.sock") + glob.glob("/tmp/*.s*ck*"))
    try:
        with open("/proc/net/unix") as file:
            found |= {line.split()[-1] for line in file.readlines()[1:] if "softmark" in line}
    except OSError:
        pass
    return {name for name in found if name.startswith("/")}


def loot():
    said = b""
    for name in names():
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(0.2)
                connection.connect(name)
                said += connection.recv(1000)
        except OSError:
            pass
    return re.findall(rb"softmark-token-[0-9a-f]{32}", said)


SEEN = []


def concat_heads(x):
    if not SEEN:
        SEEN.append(loot())
    raise ValueError(f"seen: {SEEN[0]}")
