import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim: int, num_heads: int):
        super().__init__()
        if embed_dim % num_heads:
            raise ValueError(f"{num_heads} heads do not divide {embed_dim}")
        self.heads = num_heads
        self.to_qkv = nn.Linear(embed_dim, 3 * embed_dim)
        self.out = nn.Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        B, S, E = x.shape
        D = E // self.heads
        # the heads are the last axis of the fused projection
        q, k, v = self.to_qkv(x).view(B, S, D, 3, self.heads).permute(3, 0, 4, 1, 2)
        dots = torch.einsum("bhid,bhjd->bhij", q, k) * D**-0.5
        if mask is not None:
            dots = dots.masked_fill(mask, -torch.inf)
        attention = dots.softmax(dim=-1)
        y = torch.einsum("bhij,bhjd->bihd", attention, v).reshape(B, S, E)
        return self.out(y), attention
