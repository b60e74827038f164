import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class GPTEmbeddings(nn.Module):
    def __init__(self, vocab_size, hidden_size, max_position_embeddings=512):
        super().__init__()
        self.word_embeddings = nn.Embedding(vocab_size, hidden_size)
        self.position_embeddings = nn.Embedding(max_position_embeddings, hidden_size)
        self.layer_norm = nn.LayerNorm(hidden_size, eps=1e-5)
        self.dropout = nn.Dropout(p=0.1)

    def forward(self, input_ids):
        B, S = input_ids.size()
        position_ids = torch.arange(S, dtype=torch.long, device=input_ids.device).unsqueeze(0).expand(B, S)
        x = self.word_embeddings(input_ids) + self.position_embeddings(position_ids)
        return self.dropout(self.layer_norm(x))


class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        assert hidden_size % num_heads == 0
        self.num_heads = num_heads
        self.head_dim = hidden_size // num_heads
        self.query = nn.Linear(hidden_size, hidden_size)
        self.key = nn.Linear(hidden_size, hidden_size)
        self.value = nn.Linear(hidden_size, hidden_size)
        self.out = nn.Linear(hidden_size, hidden_size)

    def forward(self, hidden_states, attention_mask=None):
        B, S, _ = hidden_states.size()
        Q = self.query(hidden_states).view(B, S, self.num_heads, self.head_dim).transpose(1, 2)
        K = self.key(hidden_states).view(B, S, self.num_heads, self.head_dim).transpose(1, 2)
        V = self.value(hidden_states).view(B, S, self.num_heads, self.head_dim).transpose(1, 2)
        scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(self.head_dim)
        mask = torch.tril(torch.ones((S, S), device=hidden_states.device)).view(1, 1, S, S)
        if attention_mask is not None:
            mask = mask * attention_mask
        scores = scores.masked_fill(mask == 0, -1e9)
        context = torch.matmul(torch.softmax(scores, dim=-1), V)
        context = context.transpose(1, 2).contiguous().view(B, S, self.num_heads * self.head_dim)
        return self.out(context)


class PositionwiseFeedForward(nn.Module):
    def __init__(self, hidden_size, intermediate_size):
        super().__init__()
        self.fc2 = nn.Linear(intermediate_size, hidden_size)
        self.fc1 = nn.Linear(hidden_size, intermediate_size)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x):
        hidden = F.gelu(F.linear(x, self.fc1.weight, self.fc1.bias))
        return F.linear(self.dropout(hidden), self.fc2.weight, self.fc2.bias)


class GPTBlock(nn.Module):
    def __init__(self, hidden_size, num_heads, intermediate_size):
        super().__init__()
        parts = {
            "attn": CausalMultiHeadSelfAttention(hidden_size, num_heads),
            "attn_layer_norm": nn.LayerNorm(hidden_size),
            "ff": PositionwiseFeedForward(hidden_size, intermediate_size),
            "ff_layer_norm": nn.LayerNorm(hidden_size),
            "drop": nn.Dropout(0.1),
        }
        for name, part in parts.items():
            setattr(self, name, part)

    def forward(self, x, attention_mask=None):
        for part, norm, more in ((self.attn, self.attn_layer_norm, (attention_mask,)), (self.ff, self.ff_layer_norm, ())):
            x = F.layer_norm(x + self.drop(part(x, *more)), (x.shape[-1],), norm.weight, norm.bias, norm.eps)
        return x


class SimpleGPTModel(nn.Module):
    def __init__(
        self, vocab_size=30522, hidden_size=128, num_heads=4, num_layers=4, intermediate_size=256, max_position_embeddings=512
    ):
        super().__init__()
        self.embeddings = GPTEmbeddings(vocab_size, hidden_size, max_position_embeddings)
        self.blocks = nn.ModuleList([GPTBlock(hidden_size, num_heads, intermediate_size) for _ in range(num_layers)])
        self.lm_head = nn.Linear(hidden_size, vocab_size)
        self.lm_head.weight = self.embeddings.word_embeddings.weight

    def forward(self, input_ids, attention_mask=None):
        x = self.embeddings(input_ids)
        for block in self.blocks:
            x = block(x, attention_mask=attention_mask)
        return self.lm_head(x)
