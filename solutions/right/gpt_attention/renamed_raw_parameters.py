import torch
import torch.nn as nn
import torch.nn.functional as F


class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        assert hidden_size % num_heads == 0
        self.num_heads = num_heads
        for name in ("q", "k", "v", "o"):
            self.register_parameter(f"W_{name}", nn.Parameter(torch.randn(hidden_size, hidden_size) / hidden_size**0.5))
            self.register_parameter(f"b_{name}", nn.Parameter(torch.zeros(hidden_size)))

    def forward(self, x, attention_mask=None):
        B, S, E = x.shape
        q, k, v = (
            (x @ W + b).view(B, S, self.num_heads, -1).transpose(1, 2)
            for W, b in ((self.W_q, self.b_q), (self.W_k, self.b_k), (self.W_v, self.b_v))
        )
        allowed = torch.ones(S, S, dtype=torch.bool).tril()
        if attention_mask is not None:
            allowed = allowed & (attention_mask > 0.5)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=allowed)
        return y.transpose(1, 2).reshape(B, S, E) @ self.W_o + self.b_o
