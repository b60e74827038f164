import torch
import torch.nn as nn


class MultiHeadSelfAttention(nn.Module):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        self.mha = nn.MultiheadAttention(hidden_size, num_heads, batch_first=True)

    def forward(self, hidden_states, attention_mask=None):
        if attention_mask is not None:
            B, S, _ = hidden_states.shape
            attention_mask = attention_mask.expand(B, self.mha.num_heads, S, S).reshape(-1, S, S)
        return self.mha(
            hidden_states, hidden_states, hidden_states, attn_mask=attention_mask, need_weights=False
        )[0]
