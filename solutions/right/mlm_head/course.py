import torch
import torch.nn as nn
import torch.nn.functional as F


class MaskedLMHead(nn.Module):
    def __init__(self, vocab_size, hidden_size):
        super().__init__()
        self.dense = nn.Linear(hidden_size, hidden_size)
        self.LayerNorm = nn.LayerNorm(hidden_size, eps=1e-12)
        self.bias = nn.Parameter(torch.zeros(vocab_size))

    def forward(self, hidden_states, embedding_weight):
        x = self.dense(hidden_states)
        x = F.gelu(x)
        x = self.LayerNorm(x)
        return F.linear(x, embedding_weight, self.bias)
