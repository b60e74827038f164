import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class LayerNorm(nn.Module):
    def __init__(self, width, eps=1e-12):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.bias = nn.Parameter(torch.zeros(width))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        variance = x.var(-1, keepdim=True, unbiased=False)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


class GPTEmbeddings(nn.Module):
    def __init__(self, vocab_size, hidden_size, max_position_embeddings=512):
        super().__init__()
        self.word_embeddings = nn.Embedding(vocab_size, hidden_size)
        self.position_embeddings = nn.Embedding(max_position_embeddings, hidden_size)
        self.layer_norm = LayerNorm(hidden_size)
        self.dropout = nn.Dropout(0.1)

    def forward(self, input_ids):
        x = self.word_embeddings(input_ids)
        x = x + self.position_embeddings.weight[: x.shape[1]]
        return self.dropout(self.layer_norm(x))


class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, max_length=512):
        super().__init__()
        assert hidden_size % num_heads == 0
        self.num_heads, self.head_dim = num_heads, hidden_size // num_heads
        self.query = nn.Linear(hidden_size, hidden_size)
        self.key = nn.Linear(hidden_size, hidden_size)
        self.value = nn.Linear(hidden_size, hidden_size)
        self.out = nn.Linear(hidden_size, hidden_size)
        self.register_buffer("causal", torch.tril(torch.ones(1, 1, max_length, max_length)).bool(), persistent=False)

    def split(self, x):
        return x.reshape(x.shape[0], x.shape[1], self.num_heads, self.head_dim).transpose(1, 2)

    def forward(self, hidden_states, attention_mask=None):
        S = hidden_states.shape[1]
        Q, K, V = self.split(self.query(hidden_states)), self.split(self.key(hidden_states)), self.split(self.value(hidden_states))
        scores = torch.matmul(Q / math.sqrt(self.head_dim), K.transpose(2, 3))
        scores.masked_fill_(~self.causal[:, :, :S, :S], torch.finfo(scores.dtype).min)
        if attention_mask is not None:
            scores.masked_fill_(attention_mask.logical_not(), torch.finfo(scores.dtype).min)
        return self.out(F.softmax(scores, dim=-1).matmul(V).transpose(1, 2).flatten(start_dim=2))


class PositionwiseFeedForward(nn.Module):
    def __init__(self, hidden_size, intermediate_size):
        super().__init__()
        self.fc1 = nn.Linear(hidden_size, intermediate_size)
        self.fc2 = nn.Linear(intermediate_size, hidden_size)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))


class GPTBlock(nn.Module):
    def __init__(self, hidden_size, num_heads, intermediate_size):
        super().__init__()
        self.attn = CausalMultiHeadSelfAttention(hidden_size, num_heads)
        self.attn_layer_norm = nn.LayerNorm(hidden_size, eps=1e-5)
        self.ff = PositionwiseFeedForward(hidden_size, intermediate_size)
        self.ff_layer_norm = nn.LayerNorm(hidden_size, eps=1e-5)
        self.dropout = nn.Dropout(p=0.1)

    def forward(self, hidden_states, attention_mask=None):
        attn_output = self.attn(hidden_states, attention_mask=attention_mask)
        hidden_states = self.attn_layer_norm(hidden_states + self.dropout(attn_output))
        return self.ff_layer_norm(hidden_states + self.dropout(self.ff(hidden_states)))


class SimpleGPTModel(nn.Module):
    def __init__(
        self, vocab_size=30522, hidden_size=128, num_heads=4, num_layers=4, intermediate_size=256, max_position_embeddings=512
    ):
        super().__init__()
        self.embeddings = GPTEmbeddings(vocab_size, hidden_size, max_position_embeddings)
        self.blocks = nn.ModuleList([GPTBlock(hidden_size, num_heads, intermediate_size) for _ in range(num_layers)])

    def forward(self, input_ids, attention_mask=None):
        hidden_states = self.embeddings(input_ids)
        for block in self.blocks:
            hidden_states = block(hidden_states, attention_mask=attention_mask)
        return F.linear(hidden_states, self.embeddings.word_embeddings.weight)
