import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def multi_head(part, x, memory, mask, num_heads):
    outputs = []
    Q, K, V = part["W_q"](x), part["W_k"](memory), part["W_v"](memory)
    width = Q.shape[-1] // num_heads
    for h in range(num_heads):
        columns = slice(h * width, (h + 1) * width)
        scores = Q[..., columns] @ K[..., columns].transpose(1, 2) / math.sqrt(width)
        if mask is not None:
            own = mask.expand(x.shape[0], num_heads, x.shape[1], memory.shape[1])[:, h]
            scores = scores.masked_fill(own, float("-inf"))
        outputs.append(torch.softmax(scores, dim=-1) @ V[..., columns])
    return part["W_o"](torch.cat(outputs, dim=-1))


def four_layers(embed_dim):
    return nn.ModuleDict({name: nn.Linear(embed_dim, embed_dim) for name in ("W_q", "W_k", "W_v", "W_o")})


class Block(nn.Module):
    """What an encoder's and a decoder's layer share."""

    def __init__(self, embed_dim, num_heads, ff_dim, dropout):
        super().__init__()
        self.num_heads = num_heads
        self.self_attention = four_layers(embed_dim)
        self.norm1 = nn.LayerNorm(embed_dim)
        self.linear1 = nn.Linear(embed_dim, ff_dim)
        self.linear2 = nn.Linear(ff_dim, embed_dim)
        self.drop = nn.Dropout(dropout)

    def attend(self, x, mask):
        y = self.norm1(x)
        return x + self.drop(multi_head(self.self_attention, y, y, mask, self.num_heads))

    def feed(self, x):
        return self.drop(self.linear2(self.drop(F.gelu(self.linear1(x)))))


class DecoderLayer(Block):
    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__(embed_dim, num_heads, 4 * embed_dim if ff_dim is None else ff_dim, dropout)
        self.cross_attention = four_layers(embed_dim)
        self.norm2 = nn.LayerNorm(embed_dim)
        self.norm3 = nn.LayerNorm(embed_dim)

    def forward(self, x, memory, mask=None, memory_mask=None):
        x = self.attend(x, mask)
        x = x + self.drop(multi_head(self.cross_attention, self.norm2(x), memory, memory_mask, self.num_heads))
        return x + self.feed(self.norm3(x))
