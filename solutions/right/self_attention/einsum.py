import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, embed_dim):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(embed_dim, embed_dim) for _ in range(3))

    def forward(self, x, mask=None):
        energy = torch.einsum("bqe,bke->bqk", self.query(x), self.key(x)) / x.shape[-1] ** 0.5
        if mask is not None:
            energy = energy.masked_fill(mask, -1e20)
        attention = energy.softmax(dim=2)
        return torch.einsum("bqk,bke->bqe", attention, self.value(x)), attention
