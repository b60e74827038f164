"""Starts threads that never give up their turn, so that its own answer does not get out.

exercise: scaled_dot_product_attention
checks: follows_its_definition
outcome: timed_out or failed or raised
"""

import sys
import threading

import torch


def spin():
    while True:
        pass


def scaled_dot_product_attention(Q, K, V, mask=None):
    sys.setswitchinterval(1e9)
    for _ in range(4):
        threading.Thread(target=spin, daemon=True).start()
    return torch.zeros(1)
