import torch
import torch.nn as nn


class SelfAttention(nn.Module):
    def __init__(self, embed_dim):
        super().__init__()
        self.qkv = nn.Linear(embed_dim, 3 * embed_dim)

    def forward(self, x, mask=None):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        att = q @ k.mT * q.size(-1) ** -0.5
        if mask is not None:
            att = torch.where(mask, torch.finfo(att.dtype).min, att)
        att = torch.softmax(att, dim=-1)
        return att @ v, att
