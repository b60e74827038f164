"""Reports a thousand lines that failed to load, in files and cells that do not exist.

outcome: failed
"""

import sys

import torch

PROBLEM = {"file": "../../etc/passwd", "cell": -(10**70), "line": 10**70, "binds": ["x"]}


def lie():
    wire = sys.modules["softmark_worker.wire"]
    honest = wire._pack

    def pack(value, *others):
        if isinstance(value, dict) and "problems" in value:
            problems = [{**PROBLEM, "error": f"<b>{number}</b>" + "e" * 800} for number in range(1000)]
            value = {**value, "problems": problems}
        return honest(value, *others)

    wire._pack = pack


def concat_heads(x, _=lie()):
    batch, heads, length, width = x.shape
    return torch.zeros(batch, length, heads * width)
