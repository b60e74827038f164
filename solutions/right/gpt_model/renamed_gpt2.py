import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class GPTEmbeddings(nn.Module):
    def __init__(self, vocab_size, hidden_size, max_position_embeddings=512):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, hidden_size)
        self.wpe = nn.Embedding(max_position_embeddings, hidden_size)
        self.ln = nn.LayerNorm(hidden_size)
        self.drop = nn.Dropout(0.1)

    def forward(self, idx):
        return self.drop(self.ln(self.wte(idx) + self.wpe(torch.arange(idx.size(1)))))


class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        assert hidden_size % num_heads == 0
        self.c_attn = nn.Linear(hidden_size, 3 * hidden_size)
        self.c_proj = nn.Linear(hidden_size, hidden_size)
        self.n_head = num_heads

    def forward(self, x, attention_mask=None):
        B, T, C = x.size()
        q, k, v = self.c_attn(x).split(C, dim=2)
        q, k, v = [t.view(B, T, self.n_head, C // self.n_head).transpose(1, 2) for t in (q, k, v)]
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        att = att.masked_fill(torch.tril(torch.ones(T, T)) == 0, float("-inf"))
        if attention_mask is not None:
            att = att.masked_fill(attention_mask == 0, float("-inf"))
        return self.c_proj((F.softmax(att, dim=-1) @ v).transpose(1, 2).contiguous().view(B, T, C))


class PositionwiseFeedForward(nn.Module):
    def __init__(self, hidden_size, intermediate_size):
        super().__init__()
        self.fc1 = nn.Linear(hidden_size, intermediate_size)
        self.fc2 = nn.Linear(intermediate_size, hidden_size)
        self.activation = nn.GELU()

    def forward(self, x):
        return self.fc2(self.activation(self.fc1(x)))


class GPTBlock(nn.Module):
    def __init__(self, hidden_size, num_heads, intermediate_size):
        super().__init__()
        self.self_attn = CausalMultiHeadSelfAttention(hidden_size, num_heads)
        self.ln_1 = nn.LayerNorm(hidden_size)
        self.ln_2 = nn.LayerNorm(hidden_size)
        self.mlp = PositionwiseFeedForward(hidden_size, intermediate_size)
        self.drop = nn.Dropout(0.1)

    def forward(self, x, attention_mask=None):
        x = self.ln_1(x + self.drop(self.self_attn(x, attention_mask)))
        return self.ln_2(x + self.drop(self.mlp(x)))


class SimpleGPTModel(nn.Module):
    def __init__(
        self, vocab_size=30522, hidden_size=128, num_heads=4, num_layers=4, intermediate_size=256, max_position_embeddings=512
    ):
        super().__init__()
        self.emb = GPTEmbeddings(vocab_size, hidden_size, max_position_embeddings)
        self.h = nn.ModuleList([GPTBlock(hidden_size, num_heads, intermediate_size) for _ in range(num_layers)])
        self.head = nn.Linear(hidden_size, vocab_size, bias=False)

    def forward(self, idx, attention_mask=None):
        x = self.emb(idx)
        for block in self.h:
            x = block(x, attention_mask)
        return self.head(x)
