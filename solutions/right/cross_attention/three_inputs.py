import math

import torch.nn as nn


class CrossAttention(nn.Module):
    def __init__(self, d_model, n_heads, kv_dim=None):
        super().__init__()
        assert d_model % n_heads == 0
        kv_dim = d_model if kv_dim is None else kv_dim
        self.n_heads, self.d_k = n_heads, d_model // n_heads
        self.fc_q, self.fc_k = nn.Linear(d_model, d_model), nn.Linear(kv_dim, d_model)
        self.fc_v, self.fc_out = nn.Linear(kv_dim, d_model), nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        B = query.shape[0]
        Q = self.fc_q(query).view(B, -1, self.n_heads, self.d_k).permute(0, 2, 1, 3)
        K = self.fc_k(key).view(B, -1, self.n_heads, self.d_k).permute(0, 2, 1, 3)
        V = self.fc_v(value).view(B, -1, self.n_heads, self.d_k).permute(0, 2, 1, 3)
        energy = Q @ K.permute(0, 1, 3, 2) / math.sqrt(self.d_k)
        if mask is not None:
            energy = energy.masked_fill(mask, -1e10)
        attention = energy.softmax(dim=-1)
        out = (attention @ V).permute(0, 2, 1, 3).contiguous().view(B, -1, self.n_heads * self.d_k)
        return self.fc_out(out), attention
