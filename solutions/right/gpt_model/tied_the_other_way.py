import torch
import torch.nn as nn
import torch.nn.functional as F


class GPTEmbeddings(nn.Module):
    def __init__(self, vocab_size, hidden_size, max_position_embeddings=512):
        super().__init__()
        self.word_embeddings = nn.Embedding(vocab_size, hidden_size)
        self.position_embeddings = nn.Embedding(max_position_embeddings, hidden_size)
        self.layer_norm = nn.LayerNorm(hidden_size, eps=1e-5)

    def forward(self, input_ids):
        words = F.embedding(input_ids, self.word_embeddings.weight)
        positions = F.embedding(torch.ones_like(input_ids).cumsum(1) - 1, self.position_embeddings.weight)
        normed = F.layer_norm(words + positions, words.shape[-1:], self.layer_norm.weight, self.layer_norm.bias)
        return F.dropout(normed, p=0.1, training=self.training)


class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        assert hidden_size % num_heads == 0
        self.h, self.d = num_heads, hidden_size // num_heads
        self.query = nn.Linear(hidden_size, hidden_size)
        self.key = nn.Linear(hidden_size, hidden_size)
        self.value = nn.Linear(hidden_size, hidden_size)
        self.out = nn.Linear(hidden_size, hidden_size)

    def forward(self, hidden_states, attention_mask=None):
        B, S, E = hidden_states.shape

        def heads(x):
            return x.view(B, S, self.h, self.d).permute(0, 2, 1, 3)

        q, k, v = heads(self.query(hidden_states)), heads(self.key(hidden_states)), heads(self.value(hidden_states))
        scores = q @ k.mT / self.d**0.5
        scores = scores + torch.full((S, S), -1e9, dtype=scores.dtype).triu(1)
        if attention_mask is not None:
            scores = scores + (1.0 - attention_mask.to(scores.dtype)) * -1e9
        e = torch.exp(scores - scores.max(-1, keepdim=True).values)
        p = e / e.sum(-1, keepdim=True)
        return self.out((p @ v).permute(0, 2, 1, 3).reshape(B, S, E))


class PositionwiseFeedForward(nn.Module):
    def __init__(self, hidden_size, intermediate_size):
        super().__init__()
        self.fc1 = nn.Linear(hidden_size, intermediate_size)
        self.fc2 = nn.Linear(intermediate_size, hidden_size)
        self.activation = nn.GELU()

    def forward(self, x):
        return self.fc2(self.activation(self.fc1(x)))


class GPTBlock(nn.Module):
    def __init__(self, hidden_size, num_heads, intermediate_size, dropout=0.1):
        super().__init__()
        self.attn = CausalMultiHeadSelfAttention(hidden_size, num_heads)
        self.attn_layer_norm = nn.LayerNorm(hidden_size)
        self.ff = PositionwiseFeedForward(hidden_size, intermediate_size)
        self.ff_layer_norm = nn.LayerNorm(hidden_size)
        self.dropout = nn.Dropout(dropout)

    def sublayer(self, x, part, norm):
        return norm(torch.add(self.dropout(part(x)), x))

    def forward(self, hidden_states, attention_mask=None):
        x = self.sublayer(hidden_states, lambda h: self.attn(h, attention_mask=attention_mask), self.attn_layer_norm)
        return self.sublayer(x, self.ff, self.ff_layer_norm)


class SimpleGPTModel(nn.Module):
    def __init__(
        self, vocab_size=30522, hidden_size=128, num_heads=4, num_layers=4, intermediate_size=256, max_position_embeddings=512
    ):
        super().__init__()
        self.embeddings = GPTEmbeddings(vocab_size, hidden_size, max_position_embeddings)
        self.blocks = nn.ModuleList([GPTBlock(hidden_size, num_heads, intermediate_size) for _ in range(num_layers)])
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)
        self.embeddings.word_embeddings.weight = self.lm_head.weight

    def forward(self, input_ids, attention_mask=None):
        hidden_states = self.embeddings(input_ids)
        for block in self.blocks:
            hidden_states = block(hidden_states, attention_mask=attention_mask)
        return self.lm_head(hidden_states)
