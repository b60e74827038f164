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
        self.num_heads = num_heads
        self.query = nn.Linear(hidden_size, hidden_size)
        self.key = nn.Linear(hidden_size, hidden_size)
        self.value = nn.Linear(hidden_size, hidden_size)
        self.out = nn.Linear(hidden_size, hidden_size)

    def forward(self, hidden_states, attention_mask=None):
        allowed = torch.tril(torch.ones(hidden_states.size(1), hidden_states.size(1))) == 1
        if attention_mask is not None:
            allowed = torch.logical_and(allowed, attention_mask[:, 0] == 1)
        found = []
        for q, k, v in zip(*(layer(hidden_states).chunk(self.num_heads, dim=-1) for layer in (self.query, self.key, self.value))):
            scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(q.shape[-1])
            scores = torch.where(allowed, scores, torch.full_like(scores, -torch.inf))
            found.append(torch.bmm(torch.softmax(scores, -1), v))
        return self.out(torch.cat(found, dim=-1))


def gelu(x):
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class PositionwiseFeedForward(nn.Module):
    def __init__(self, hidden_size, intermediate_size):
        super().__init__()
        self.fc1 = nn.Linear(hidden_size, intermediate_size, bias=True)
        self.fc2 = nn.Linear(intermediate_size, hidden_size, bias=True)

    def forward(self, x):
        hidden = gelu(torch.einsum("bse,fe->bsf", x, self.fc1.weight) + self.fc1.bias)
        return torch.einsum("bsf,ef->bse", hidden, self.fc2.weight) + self.fc2.bias


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
        self.blocks = nn.ModuleList([GPTBlock(hidden_size, num_heads, intermediate_size) for _ in range(num_layers)])
        self.lm_head = nn.Linear(hidden_size, vocab_size)

    def forward(self, input_ids, attention_mask=None):
        x = self.embeddings(input_ids)
        for block in self.blocks:
            x = block(x, attention_mask)
        return self.lm_head(x)
