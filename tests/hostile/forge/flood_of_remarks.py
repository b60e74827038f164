"""Reports two thousand lines that failed to load, in cells that do not exist.

outcome: failed
"""

import sys

import torch

PROBLEM = {"file": "../../etc/passwd", "cell": -(10**300), "line": 10**4000, "binds": ["x"]}


def lie():
    sys.modules["serve"].Room.load = honest_or_not(sys.modules["serve"].Room.load)


def honest_or_not(load):
    def loaded(self, source, symbol):
        found = load(self, source, symbol)
        problems = [{**PROBLEM, "error": f"<b>{number}</b>" + "e" * 900} for number in range(900)]
        return {**found, "problems": problems}

    return loaded


LIE = lie()
# The room that loads this very text is patched too late for itself: it is asked again after a loss.
TIMES = []


def concat_heads(x, _=LIE):
    frame = sys._getframe(1)
    if not TIMES:
        TIMES.append(frame)
    batch, heads, length, width = x.shape
    return torch.zeros(batch, length, heads * width)
