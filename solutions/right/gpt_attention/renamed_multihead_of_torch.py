import torch
import torch.nn as nn


class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        self.mha = nn.MultiheadAttention(hidden_size, num_heads, batch_first=True)

    def forward(self, x, attention_mask=None):
        B, S, _ = x.shape
        hidden = torch.ones(S, S, dtype=torch.bool).triu(1)
        if attention_mask is not None:
            hidden = (hidden | (attention_mask == 0)).expand(B, self.mha.num_heads, S, S).flatten(0, 1)
        return self.mha(x, x, x, attn_mask=hidden, need_weights=False)[0]
