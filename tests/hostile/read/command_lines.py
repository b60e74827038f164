"""Prints the command line of every process.

outcome: raised
bites: open
"""

import glob


def concat_heads(x):
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(path) as file:
                line = file.read().replace("\0", " ")
        except (OSError, UnicodeDecodeError):
            continue
        if "softmark-token" in line:
            print(line)
    raise ValueError("and who else is here?")
