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


class PositionwiseFeedForward(nn.Module):
    def __init__(self, hidden_size, intermediate_size):
        super().__init__()
        self.fc1 = nn.Linear(hidden_size, intermediate_size)
        self.fc2 = nn.Linear(intermediate_size, hidden_size)
        self.activation = nn.GELU()

    def forward(self, x):
        return self.fc2(self.activation(self.fc1(x)))


class GPTBlock(nn.Module):
    def __init__(self, hidden_size, num_heads, intermediate_size):
        super().__init__()
        self.attn = CausalMultiHeadSelfAttention(hidden_size, num_heads)
        self.attn_layer_norm = nn.LayerNorm(hidden_size, eps=1e-5)
        self.ff = PositionwiseFeedForward(hidden_size, intermediate_size)
        self.ff_layer_norm = nn.LayerNorm(hidden_size, eps=1e-5)
        self.dropout = nn.Dropout(p=0.1)

    def forward(self, hidden_states, attention_mask=None):
        attn_output = self.attn(hidden_states, attention_mask=attention_mask)
        hidden_states = self.attn_layer_norm(hidden_states + self.dropout(attn_output))
        return self.ff_layer_norm(hidden_states + self.dropout(self.ff(hidden_states)))
