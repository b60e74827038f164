import torch
from torch.utils.flop_counter import FlopCounterMode


def attention_cost(seq_len, embed_dim, num_heads):
    q, k, v = (torch.empty(1, num_heads, seq_len, embed_dim // num_heads, device="meta") for _ in range(3))
    with FlopCounterMode(display=False) as counter:
        scores = q @ k.transpose(-2, -1)
        scores.softmax(-1) @ v
    return counter.get_total_flops(), scores.nbytes
