"""Prints the command line of every process.

outcome: raised
bites: open
says: seen:
"""

import glob


def concat_heads(x):
    paths = glob.glob("/proc/[0-9]*/cmdline")
    for path in paths:
        try:
            with open(path) as file:
                line = file.read().replace("\0", " ")
        except (OSError, UnicodeDecodeError):
            continue
        if "softmark-token" in line:
            print(line)
    raise ValueError(f"seen: {len(paths)} processes")
