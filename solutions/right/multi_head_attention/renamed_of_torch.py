import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.mha = nn.MultiheadAttention(embed_dim, num_heads, batch_first=True)

    def forward(self, x, mask=None):
        B, S, _ = x.shape
        if mask is not None:
            mask = mask.expand(B, self.num_heads, S, S).reshape(B * self.num_heads, S, S)
        return self.mha(x, x, x, attn_mask=mask, need_weights=True, average_attn_weights=False)
