import torch
import torch.nn as nn


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

    def split(self, x: torch.Tensor) -> torch.Tensor:
        return x.view(x.size(0), -1, self.num_heads, self.head_dim).permute(0, 2, 1, 3)

    def forward(
        self, hidden_states: torch.Tensor, attention_mask: torch.Tensor | None = None
    ) -> torch.Tensor:
        q, k, v = (
            self.split(self.query(hidden_states)),
            self.split(self.key(hidden_states)),
            self.split(self.value(hidden_states)),
        )
        s = (q / self.head_dim**0.25) @ (k / self.head_dim**0.25).transpose(2, 3)
        s = s if attention_mask is None else s + attention_mask
        e = torch.exp(s - s.max(dim=-1, keepdim=True).values)
        x = (e / e.sum(-1, keepdim=True)) @ v
        return self.out(x.permute(0, 2, 1, 3).reshape(hidden_states.shape))
