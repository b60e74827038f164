import torch
import torch.nn as nn
import torch.nn.functional as F


class LayerNorm(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.gamma, self.beta, self.eps = nn.Parameter(torch.ones(dim)), nn.Parameter(torch.zeros(dim)), eps

    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        var = ((x - mean) ** 2).mean(-1, keepdim=True)
        return self.gamma * (x - mean) / torch.sqrt(var + self.eps) + self.beta


class Attention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(embed_dim, embed_dim) for _ in range(4))

    def forward(self, x, context, mask=None):
        q = self.W_q(x).reshape(*x.shape[:2], self.heads, -1)
        k = self.W_k(context).reshape(*context.shape[:2], self.heads, -1)
        v = self.W_v(context).reshape(*context.shape[:2], self.heads, -1)
        scores = torch.einsum("bihd,bjhd->bhij", q, k) / q.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
        return self.W_o(torch.einsum("bhij,bjhd->bihd", scores.softmax(-1), v).flatten(2))


class DecoderLayer(nn.Module):
    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__()
        self.norm1, self.norm2, self.norm3 = (LayerNorm(embed_dim) for _ in range(3))
        self.self_attention = Attention(embed_dim, num_heads)
        self.cross_attention = Attention(embed_dim, num_heads)
        self.feed_forward = nn.ModuleDict()
        self.feed_forward["linear1"] = nn.Linear(embed_dim, ff_dim or 4 * embed_dim)
        self.feed_forward["linear2"] = nn.Linear(ff_dim or 4 * embed_dim, embed_dim)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, mask=None, memory_mask=None):
        h = self.norm1(x)
        x = x + self.dropout(self.self_attention(h, h, mask))
        x = x + self.dropout(self.cross_attention(self.norm2(x), memory, memory_mask))
        h = F.gelu(self.feed_forward["linear1"](self.norm3(x)))
        return x + self.dropout(self.feed_forward["linear2"](h))
