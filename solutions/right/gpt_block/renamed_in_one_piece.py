import torch
import torch.nn as nn
import torch.nn.functional as F


class GPTBlock(nn.Module):
    def __init__(self, hidden_size, num_heads, intermediate_size):
        super().__init__()
        assert hidden_size % num_heads == 0
        self.H = num_heads
        self.qkv = nn.Linear(hidden_size, 3 * hidden_size)
        self.proj = nn.Linear(hidden_size, hidden_size)
        self.norm1 = nn.LayerNorm(hidden_size)
        self.up = nn.Linear(hidden_size, intermediate_size)
        self.down = nn.Linear(intermediate_size, hidden_size)
        self.norm2 = nn.LayerNorm(hidden_size)
        self.drop = nn.Dropout(0.1)

    def forward(self, x, attention_mask=None):
        B, S, E = x.shape
        q, k, v = self.qkv(x).view(B, S, 3, self.H, E // self.H).permute(2, 0, 3, 1, 4)
        allowed = torch.ones(S, S, dtype=torch.bool).tril()
        if attention_mask is not None:
            allowed = allowed & attention_mask.bool()
        a = F.scaled_dot_product_attention(q, k, v, attn_mask=allowed).transpose(1, 2).reshape(B, S, E)
        x = self.norm1(x + self.drop(self.proj(a)))
        return self.norm2(x + self.drop(self.down(F.gelu(self.up(x)))))
