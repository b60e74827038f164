import torch
import torch.nn as nn
import torch.nn.functional as F


class SelfAttention(nn.Module):
    def __init__(self, embed_dim):
        super().__init__()
        self.W_q = nn.Linear(embed_dim, embed_dim)
        self.W_k = nn.Linear(embed_dim, embed_dim)
        self.W_v = nn.Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        seen = None if mask is None else ~mask
        output = F.scaled_dot_product_attention(q, k, v, attn_mask=seen)
        positions = torch.eye(x.shape[1], dtype=x.dtype).expand(x.shape[0], -1, -1)
        return output, F.scaled_dot_product_attention(q, k, positions, attn_mask=seen)
