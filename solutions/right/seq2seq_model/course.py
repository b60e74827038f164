import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def attention(q, k, v, mask):
    s = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is not None:
        s = s.masked_fill(mask, float("-inf"))
    return s.softmax(-1) @ v


class CrossAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.h = num_heads
        self.W_q = nn.Linear(embed_dim, embed_dim)
        self.W_k = nn.Linear(embed_dim, embed_dim)
        self.W_v = nn.Linear(embed_dim, embed_dim)
        self.W_o = nn.Linear(embed_dim, embed_dim)

    def heads(self, t):
        return t.view(t.size(0), t.size(1), self.h, -1).transpose(1, 2)

    def forward(self, x, memory, mask=None):
        q, k, v = self.heads(self.W_q(x)), self.heads(self.W_k(memory)), self.heads(self.W_v(memory))
        return self.W_o(attention(q, k, v, mask).transpose(1, 2).flatten(2))


class FeedForward(nn.Module):
    def __init__(self, embed_dim, dropout):
        super().__init__()
        self.linear1 = nn.Linear(embed_dim, 4 * embed_dim)
        self.linear2 = nn.Linear(4 * embed_dim, embed_dim)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(F.gelu(self.linear1(x))))


class EncoderLayer(nn.Module):
    def __init__(self, embed_dim, num_heads, dropout):
        super().__init__()
        self.self_attention = CrossAttention(embed_dim, num_heads)
        self.feed_forward = FeedForward(embed_dim, dropout)
        self.norm1, self.norm2 = nn.LayerNorm(embed_dim), nn.LayerNorm(embed_dim)

    def forward(self, x, mask):
        y = self.norm1(x)
        x = x + self.self_attention(y, y, mask)
        return x + self.feed_forward(self.norm2(x))


class DecoderLayer(nn.Module):
    def __init__(self, embed_dim, num_heads, dropout):
        super().__init__()
        self.self_attention = CrossAttention(embed_dim, num_heads)
        self.cross_attention = CrossAttention(embed_dim, num_heads)
        self.feed_forward = FeedForward(embed_dim, dropout)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(embed_dim) for _ in range(3))

    def forward(self, x, memory, mask, memory_mask):
        y = self.norm1(x)
        x = x + self.self_attention(y, y, mask)
        x = x + self.cross_attention(self.norm2(x), memory, memory_mask)
        return x + self.feed_forward(self.norm3(x))


class Seq2Seq(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, embed_dim, num_heads, num_layers, max_len, dropout=0.0):
        super().__init__()
        self.src_embedding = nn.Embedding(src_vocab, embed_dim)
        self.tgt_embedding = nn.Embedding(tgt_vocab, embed_dim)
        self.position_embedding = nn.Embedding(max_len, embed_dim)
        self.encoder = nn.ModuleList([EncoderLayer(embed_dim, num_heads, dropout) for _ in range(num_layers)])
        self.decoder = nn.ModuleList([DecoderLayer(embed_dim, num_heads, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(embed_dim, tgt_vocab)

    def encode(self, src, src_mask=None):
        x = self.src_embedding(src) + self.position_embedding(torch.arange(src.shape[1]))
        for layer in self.encoder:
            x = layer(x, src_mask)
        return x

    def decode(self, tgt, memory, src_mask=None):
        length = tgt.shape[1]
        causal = torch.ones(length, length).triu(1).bool()
        x = self.tgt_embedding(tgt) + self.position_embedding(torch.arange(length))
        for layer in self.decoder:
            x = layer(x, memory, causal, src_mask)
        return self.head(x)

    def forward(self, src, tgt, src_mask=None):
        return self.decode(tgt, self.encode(src, src_mask), src_mask)
