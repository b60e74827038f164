import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class GPTEmbeddings(nn.Module):
    def __init__(self, vocab_size, hidden_size, max_position_embeddings=512):
        super().__init__()
        self.vocab_size = vocab_size
        self.word_embeddings = nn.Embedding(vocab_size, hidden_size)
        self.position_embeddings = nn.Embedding(max_position_embeddings, hidden_size)
        self.layer_norm = nn.LayerNorm(hidden_size)
        self.dropout = nn.Dropout(0.1)

    def forward(self, input_ids):
        table = self.word_embeddings.weight
        words = F.one_hot(input_ids, self.vocab_size).to(table.dtype) @ table
        positions = self.position_embeddings(torch.arange(input_ids.shape[1]))
        return self.dropout(self.layer_norm(words + positions[None]))


class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        assert hidden_size % num_heads == 0
        self.n = num_heads
        self.query = nn.Linear(hidden_size, hidden_size)
        self.key = nn.Linear(hidden_size, hidden_size)
        self.value = nn.Linear(hidden_size, hidden_size)
        self.out = nn.Linear(hidden_size, hidden_size)

    def forward(self, hidden_states, attention_mask=None):
        B, S, E = hidden_states.shape
        Q, K, V = [f(hidden_states).view(B, S, self.n, E // self.n) for f in (self.query, self.key, self.value)]
        outputs = []
        for i in range(S):  # only the past is ever touched
            scores = (Q[:, i : i + 1] * K[:, : i + 1]).sum(-1) / math.sqrt(E // self.n)  # (B, i + 1, H)
            if attention_mask is not None:
                scores = scores.masked_fill(attention_mask[:, 0, i, : i + 1, None] == 0, -1e9)
            outputs.append((scores.softmax(1).unsqueeze(-1) * V[:, : i + 1]).sum(1).view(B, E))
        return self.out(torch.stack(outputs, dim=1))


class PositionwiseFeedForward(nn.Module):
    def __init__(self, hidden_size, intermediate_size):
        super().__init__()
        layers = {"fc1": nn.Linear(hidden_size, intermediate_size), "fc2": nn.Linear(intermediate_size, hidden_size)}
        for name, layer in layers.items():
            self.add_module(name, layer)

    def forward(self, x):
        return torch.stack([self.fc2(self.fc1(position).clamp(min=0)) for position in x.unbind(1)], dim=1)


class Norm(nn.Module):
    def __init__(self, width, eps=1e-5):
        super().__init__()
        self.weight, self.bias, self.eps = nn.Parameter(torch.ones(width)), nn.Parameter(torch.zeros(width)), eps

    def forward(self, x):
        centred = x - x.mean(dim=-1, keepdim=True)
        return self.weight * centred * torch.rsqrt(centred.pow(2).mean(-1, keepdim=True) + self.eps) + self.bias


class GPTBlock(nn.Module):
    def __init__(self, hidden_size, num_heads, intermediate_size):
        super().__init__()
        self.attn = CausalMultiHeadSelfAttention(hidden_size, num_heads)
        self.attn_layer_norm, self.ff_layer_norm = Norm(hidden_size), Norm(hidden_size)
        self.ff = PositionwiseFeedForward(hidden_size, intermediate_size)

    def forward(self, x, attention_mask=None):
        x = self.attn_layer_norm(x + F.dropout(self.attn(x, attention_mask), 0.1, self.training))
        return self.ff_layer_norm(x + F.dropout(self.ff(x), 0.1, self.training))


class SimpleGPTModel(nn.Module):
    def __init__(
        self, vocab_size=30522, hidden_size=128, num_heads=4, num_layers=4, intermediate_size=256, max_position_embeddings=512
    ):
        super().__init__()
        self.embeddings = GPTEmbeddings(vocab_size, hidden_size, max_position_embeddings)
        self.blocks = nn.Sequential(*(GPTBlock(hidden_size, num_heads, intermediate_size) for _ in range(num_layers)))
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)

    def forward(self, input_ids, attention_mask=None):
        x = self.embeddings(input_ids)
        if attention_mask is None:
            x = self.blocks(x)
        else:
            for number in range(len(self.blocks)):
                x = self.blocks[number](x, attention_mask)
        return x @ self.lm_head.weight.T
