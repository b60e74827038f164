"""The inner width is always four times the model's; the last layer shares the words' table.

loses: has_the_parameters_of_its_parts
"""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        assert width % heads == 0
        self.heads = heads
        self.c_attn, self.c_proj = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x, mask):
        B, T, C = x.shape
        q, k, v = self.c_attn(x).view(B, T, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        seen = torch.ones(T, T).tril() if mask is None else torch.ones(T, T).tril() * mask
        scores = (q @ k.mT / k.shape[-1] ** 0.5).masked_fill(seen == 0, float("-inf"))
        return self.c_proj((scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, C))


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.attn = Attention(width, heads)
        self.fc_in, self.fc_out = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.ln_1, self.ln_2 = nn.LayerNorm(width), nn.LayerNorm(width)

    def forward(self, x, mask):
        x = self.ln_1(x + F.dropout(self.attn(x, mask), 0.1, self.training))
        return self.ln_2(x + F.dropout(self.fc_out(F.gelu(self.fc_in(x))), 0.1, self.training))


class SimpleGPTModel(nn.Module):
    def __init__(
        self, vocab_size=30522, hidden_size=128, num_heads=4, num_layers=4, max_position_embeddings=512
    ):
        super().__init__()
        self.tokens = nn.Embedding(vocab_size, hidden_size)
        self.places = nn.Embedding(max_position_embeddings, hidden_size)
        self.norm = nn.LayerNorm(hidden_size)
        self.blocks = nn.ModuleList([Block(hidden_size, num_heads) for _ in range(num_layers)])
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)
        self.lm_head.weight = self.tokens.weight

    def forward(self, input_ids, attention_mask=None):
        x = self.norm(self.tokens(input_ids) + self.places.weight[: input_ids.shape[1]])
        x = F.dropout(x, 0.1, self.training)
        for block in self.blocks:
            x = block(x, attention_mask)
        return self.lm_head(x)
