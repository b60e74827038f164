import torch
from torch import nn


class SpanHead(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        self.W = nn.Parameter(torch.randn(hidden_size, 2) / hidden_size**0.5)
        self.b = nn.Parameter(torch.zeros(2))

    def forward(self, hidden_states, attention_mask=None):
        both = hidden_states @ self.W + self.b
        if attention_mask is not None:
            both = torch.where(attention_mask.bool().unsqueeze(-1), both, torch.finfo(both.dtype).min)
        return both[..., 0], both[..., 1]
