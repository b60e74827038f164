"""Starts threads that never give up their turn, so that its own answer does not get out.

checks: puts_each_head_in_its_columns
outcome: timed_out or failed or raised
"""

import sys
import threading

import torch


def spin():
    while True:
        pass


def concat_heads(x):
    sys.setswitchinterval(1e9)
    for _ in range(4):
        threading.Thread(target=spin, daemon=True).start()
    return torch.zeros(1)
