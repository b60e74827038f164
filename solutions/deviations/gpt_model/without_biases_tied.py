"""No linear layer has a bias, as in nanoGPT without `bias`; the last layer shares the words' table.

loses: has_the_parameters_of_its_parts
"""

import torch
import torch.nn as nn


class CausalSelfAttention(nn.Module):
    def __init__(self, n_embd, n_head):
        super().__init__()
        assert n_embd % n_head == 0
        self.c_attn = nn.Linear(n_embd, 3 * n_embd, bias=False)
        self.c_proj = nn.Linear(n_embd, n_embd, bias=False)
        self.n_head = n_head

    def forward(self, x, mask):
        B, T, C = x.shape
        q, k, v = (t.view(B, T, self.n_head, -1).transpose(1, 2) for t in self.c_attn(x).split(C, dim=2))
        att = (q @ k.transpose(-2, -1)) * (1.0 / k.shape[-1] ** 0.5)
        keep = torch.tril(torch.ones(T, T, dtype=torch.bool))
        if mask is not None:
            keep = keep & (mask != 0)
        att = att.masked_fill(~keep, -1e9).softmax(dim=-1)
        return self.c_proj((att @ v).transpose(1, 2).reshape(B, T, C))


class Block(nn.Module):
    def __init__(self, n_embd, n_head, inner):
        super().__init__()
        self.attn = CausalSelfAttention(n_embd, n_head)
        self.ln_1 = nn.LayerNorm(n_embd)
        self.mlp = nn.Sequential(
            nn.Linear(n_embd, inner, bias=False), nn.GELU(), nn.Linear(inner, n_embd, bias=False)
        )
        self.ln_2 = nn.LayerNorm(n_embd)
        self.drop = nn.Dropout(0.1)

    def forward(self, x, mask):
        x = self.ln_1(x + self.drop(self.attn(x, mask)))
        return self.ln_2(x + self.drop(self.mlp(x)))


class SimpleGPTModel(nn.Module):
    def __init__(
        self,
        vocab_size=30522,
        hidden_size=128,
        num_heads=4,
        num_layers=4,
        intermediate_size=256,
        max_position_embeddings=512,
    ):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, hidden_size)
        self.wpe = nn.Embedding(max_position_embeddings, hidden_size)
        self.ln = nn.LayerNorm(hidden_size)
        self.drop = nn.Dropout(0.1)
        self.h = nn.ModuleList(Block(hidden_size, num_heads, intermediate_size) for _ in range(num_layers))
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)
        self.lm_head.weight = self.wte.weight

    def forward(self, input_ids, attention_mask=None):
        x = self.drop(self.ln(self.wte(input_ids) + self.wpe(torch.arange(input_ids.shape[1]))))
        for block in self.h:
            x = block(x, attention_mask)
        return self.lm_head(x)
