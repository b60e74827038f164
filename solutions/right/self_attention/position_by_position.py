import torch
import torch.nn as nn


class SelfAttention(nn.Module):
    def __init__(self, embed_dim):
        super().__init__()
        self.layers = nn.ModuleDict({name: nn.Linear(embed_dim, embed_dim) for name in "qkv"})

    def forward(self, x, mask=None):
        queries, keys, values = (self.layers[name](x) for name in "qkv")
        batch, length, width = x.shape
        if mask is not None:
            mask = mask.expand(batch, length, length)
        outputs, shares = [], []
        for b in range(batch):
            rows = []
            for i in range(length):
                scores = keys[b] @ queries[b, i] / width**0.5
                if mask is not None:
                    scores = scores.masked_fill(mask[b, i], float("-inf"))
                rows.append(scores.softmax(0))
            share = torch.stack(rows)
            shares.append(share)
            outputs.append(share @ values[b])
        return torch.stack(outputs), torch.stack(shares)
