import math

import torch
import torch.nn as nn
import torch.nn.functional as F


from typing import Optional, Tuple


class Base(nn.Module):
    def project(self, layer: nn.Linear, x: torch.Tensor) -> torch.Tensor:
        return F.linear(x, layer.weight, layer.bias).reshape(x.shape[0], x.shape[1], self.num_heads, -1).permute(0, 2, 1, 3)


class MultiHeadAttention(Base):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        d, r = divmod(embed_dim, num_heads)
        if r != 0:
            raise AssertionError
        self.num_heads = num_heads
        self.scale = d ** -0.5
        self.W_q, self.W_k = nn.Linear(embed_dim, embed_dim), nn.Linear(embed_dim, embed_dim)
        self.W_v, self.W_o = nn.Linear(embed_dim, embed_dim), nn.Linear(embed_dim, embed_dim)

    def forward(self, x: torch.Tensor, mask: Optional[torch.Tensor] = None) -> Tuple[torch.Tensor, torch.Tensor]:
        scores = self.project(self.W_q, x) @ self.project(self.W_k, x).transpose(2, 3) * self.scale
        if mask is not None:
            scores.masked_fill_(mask, -1e30)
        p = torch.softmax(scores, dim=3)
        return self.W_o((p @ self.project(self.W_v, x)).permute(0, 2, 1, 3).reshape(x.shape)), p
