"""It reads a configuration, which has no inner width, as in many GPTs: that is always four times the model's.

loses: has_the_parameters_of_its_parts
"""

import torch
import torch.nn as nn


class CausalSelfAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.heads = config.n_head
        self.c_attn = nn.Linear(config.n_embd, 3 * config.n_embd)
        self.c_proj = nn.Linear(config.n_embd, config.n_embd)
        self.register_buffer("tril", torch.ones(config.block_size, config.block_size).tril())

    def forward(self, x, mask):
        B, T, C = x.shape
        q, k, v = (t.view(B, T, self.heads, -1).transpose(1, 2) for t in self.c_attn(x).split(C, dim=2))
        seen = self.tril[:T, :T] if mask is None else self.tril[:T, :T] * mask
        scores = (q @ k.mT * (C // self.heads) ** -0.5).masked_fill(seen == 0, float("-inf"))
        return self.c_proj((scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, C))


class MLP(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.c_fc = nn.Linear(config.n_embd, 4 * config.n_embd)
        self.c_proj = nn.Linear(4 * config.n_embd, config.n_embd)

    def forward(self, x):
        return self.c_proj(nn.functional.gelu(self.c_fc(x)))


class GPTBlock(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.attn, self.mlp = CausalSelfAttention(config), MLP(config)
        self.ln_1, self.ln_2 = nn.LayerNorm(config.n_embd), nn.LayerNorm(config.n_embd)
        self.drop = nn.Dropout(config.dropout)

    def forward(self, x, attention_mask=None):
        x = self.ln_1(x + self.drop(self.attn(x, attention_mask)))
        return self.ln_2(x + self.drop(self.mlp(x)))
