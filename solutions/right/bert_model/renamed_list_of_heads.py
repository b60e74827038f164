import math
import torch
import torch.nn as nn
from torch.nn import functional


class Head(nn.Module):
    def __init__(self, hidden, head_dim):
        super().__init__()
        self.q = nn.Linear(hidden, head_dim)
        self.k = nn.Linear(hidden, head_dim)
        self.v = nn.Linear(hidden, head_dim)

    def forward(self, x, mask=None):
        q, k, v = self.q(x), self.k(x), self.v(x)
        s = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(q.size(-1))
        if mask is not None:
            s = s + mask
        return torch.bmm(functional.softmax(s, dim=-1), v)


class MultiHeadSelfAttention(nn.Module):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        if hidden_size % num_heads:
            raise ValueError("hidden_size must be divisible by num_heads")
        self.heads = nn.ModuleList([Head(hidden_size, hidden_size // num_heads) for _ in range(num_heads)])
        self.output_linear = nn.Linear(hidden_size, hidden_size)

    def forward(self, hidden_states, attention_mask=None):
        outs = []
        for i, h in enumerate(self.heads):
            m = attention_mask
            if m is not None:
                m = m.expand(
                    hidden_states.shape[0], len(self.heads), hidden_states.shape[1], hidden_states.shape[1]
                )[:, i]
            outs.append(h(hidden_states, m))
        return self.output_linear(torch.cat(outs, dim=-1))


class PositionwiseFeedForward(nn.Module):
    def __init__(self, hidden_size, intermediate_size):
        super().__init__()
        self.linear_1 = nn.Linear(hidden_size, intermediate_size)
        self.linear_2 = nn.Linear(intermediate_size, hidden_size)
        self.gelu = nn.GELU()

    def forward(self, x):
        return self.linear_2(self.gelu(self.linear_1(x)))


class BertLayer(nn.Module):
    def __init__(self, hidden_size, num_heads, intermediate_size):
        super().__init__()
        self.layer_norm_1 = nn.LayerNorm(hidden_size, eps=1e-12)
        self.layer_norm_2 = nn.LayerNorm(hidden_size, eps=1e-12)
        self.attention = MultiHeadSelfAttention(hidden_size, num_heads)
        self.feed_forward = PositionwiseFeedForward(hidden_size, intermediate_size)
        self.dropout = nn.Dropout(0.1)

    def forward(self, hidden_states, attention_mask=None):
        x = self.layer_norm_1(hidden_states + self.dropout(self.attention(hidden_states, attention_mask)))
        return self.layer_norm_2(x + self.dropout(self.feed_forward(x)))


class BertEncoder(nn.Module):
    def __init__(self, num_layers, hidden_size, num_heads, intermediate_size):
        super().__init__()
        self.blocks = nn.ModuleList(
            [BertLayer(hidden_size, num_heads, intermediate_size) for _ in range(num_layers)]
        )

    def forward(self, hidden_states, attention_mask=None):
        for b in self.blocks:
            hidden_states = b(hidden_states, attention_mask)
        return hidden_states


class BertEmbeddings(nn.Module):
    def __init__(self, vocab_size, hidden_size, max_position_embeddings, type_vocab_size):
        super().__init__()
        self.tok = nn.Embedding(vocab_size, hidden_size)
        self.pos = nn.Embedding(max_position_embeddings, hidden_size)
        self.seg = nn.Embedding(type_vocab_size, hidden_size)
        self.norm = nn.LayerNorm(hidden_size, eps=1e-12)
        self.drop = nn.Dropout(0.1)

    def forward(self, input_ids, token_type_ids=None):
        p = torch.arange(input_ids.size(1)).unsqueeze(0)
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        return self.drop(self.norm(self.tok(input_ids) + self.pos(p) + self.seg(token_type_ids)))


class SimpleBertModel(nn.Module):
    def __init__(
        self,
        vocab_size=30522,
        hidden_size=128,
        num_heads=4,
        num_layers=4,
        intermediate_size=256,
        max_position_embeddings=512,
        type_vocab_size=2,
    ):
        super().__init__()
        self.emb = BertEmbeddings(vocab_size, hidden_size, max_position_embeddings, type_vocab_size)
        self.enc = BertEncoder(num_layers, hidden_size, num_heads, intermediate_size)

    def forward(self, input_ids, token_type_ids=None, attention_mask=None):
        m = None
        if attention_mask is not None:
            m = (1.0 - attention_mask[:, None, None, :].float()) * -10000.0
        return self.enc(self.emb(input_ids, token_type_ids), m)
