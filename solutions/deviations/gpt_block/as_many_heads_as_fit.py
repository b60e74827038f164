"""There are as many heads of four columns as fit into the width; the number of heads is not read.

loses: has_the_parameters_of_its_parts
"""

import torch
import torch.nn.functional as F
from torch import nn

COLUMNS = 4


class SelfAttention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.heads = width // COLUMNS
        self.qkv = nn.Linear(width, 3 * width)
        self.mix = nn.Linear(width, width)

    def forward(self, x, allowed=None):
        length = x.size(1)
        q, k, v = (part.unflatten(-1, (self.heads, COLUMNS)).transpose(1, 2) for part in self.qkv(x).chunk(3, -1))
        seen = torch.ones(length, length, dtype=torch.bool, device=x.device).tril()
        if allowed is not None:
            seen = seen & allowed.bool()
        attended = F.scaled_dot_product_attention(q, k, v, attn_mask=seen)
        return self.mix(attended.transpose(1, 2).flatten(2))


class GPTBlock(nn.Module):
    def __init__(self, width, heads, inner):
        super().__init__()
        self.attention = SelfAttention(width)
        self.norm_a, self.norm_b = nn.LayerNorm(width), nn.LayerNorm(width)
        self.up, self.down = nn.Linear(width, inner), nn.Linear(inner, width)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x, allowed=None):
        x = self.norm_a(x + self.dropout(self.attention(x, allowed)))
        return self.norm_b(x + self.dropout(self.down(F.gelu(self.up(x)))))
