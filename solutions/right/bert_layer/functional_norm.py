import torch
import torch.nn as nn
import torch.nn.functional as F


class MultiHeadSelfAttention(nn.Module):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        assert hidden_size % num_heads == 0, "hidden_size doit être un multiple de num_heads"
        self.num_heads = num_heads
        self.head_dim = hidden_size // num_heads
        self.query = nn.Linear(hidden_size, hidden_size)
        self.key = nn.Linear(hidden_size, hidden_size)
        self.value = nn.Linear(hidden_size, hidden_size)
        self.out = nn.Linear(hidden_size, hidden_size)

    def forward(self, hidden_states, attention_mask=None):
        q, k, v = self.query(hidden_states), self.key(hidden_states), self.value(hidden_states)
        B, S, _ = q.shape
        if attention_mask is not None:
            attention_mask = attention_mask.expand(B, self.num_heads, S, S)
        outputs = []
        for h in range(self.num_heads):
            part = slice(h * self.head_dim, (h + 1) * self.head_dim)
            scores = torch.bmm(q[..., part], k[..., part].transpose(1, 2)) / self.head_dim**0.5
            if attention_mask is not None:
                scores += attention_mask[:, h]
            outputs.append(F.softmax(scores, dim=2).bmm(v[..., part]))
        return self.out(torch.cat(outputs, dim=-1))


class PositionwiseFeedForward(nn.Sequential):
    def __init__(self, hidden_size: int, intermediate_size: int) -> None:
        super().__init__()
        self.add_module("fc1", nn.Linear(hidden_size, intermediate_size))
        self.add_module("gelu", nn.GELU())
        self.add_module("fc2", nn.Linear(intermediate_size, hidden_size))


class BertLayer(nn.Module):
    def __init__(self, hidden_size: int, num_heads: int, intermediate_size: int) -> None:
        super().__init__()
        self.ff_layer_norm = nn.LayerNorm(hidden_size, eps=1e-12)
        self.ff = PositionwiseFeedForward(hidden_size, intermediate_size)
        self.attention_layer_norm = nn.LayerNorm(hidden_size, eps=1e-12)
        self.attention = MultiHeadSelfAttention(hidden_size, num_heads)
        self.dropout = nn.Dropout(p=0.1)

    def forward(
        self, hidden_states: torch.Tensor, attention_mask: torch.Tensor | None = None
    ) -> torch.Tensor:
        x = hidden_states
        for norm, part in (
            (self.attention_layer_norm, lambda y: self.attention(y, attention_mask)),
            (self.ff_layer_norm, self.ff),
        ):
            x = F.layer_norm(x + self.dropout(part(x)), (x.size(-1),), norm.weight, norm.bias, norm.eps)
        return x
