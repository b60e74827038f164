import math

import torch
from torch import nn


def gelu(x):
    return x * 0.5 * (1.0 + torch.erf(x / math.sqrt(2.0)))


class MaskedLMHead(nn.Module):
    def __init__(self, vocab_size, hidden_size):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(hidden_size, hidden_size) * 0.02)
        self.dense_bias = nn.Parameter(torch.zeros(hidden_size))
        self.gamma = nn.Parameter(torch.ones(hidden_size))
        self.beta = nn.Parameter(torch.zeros(hidden_size))
        self.output_bias = nn.Parameter(torch.zeros(vocab_size))

    def forward(self, hidden_states, embedding_weight):
        x = gelu(hidden_states @ self.weight + self.dense_bias)
        mean = x.mean(-1, keepdim=True)
        variance = (x - mean).pow(2).mean(-1, keepdim=True)
        x = self.gamma * (x - mean) / torch.sqrt(variance + 1e-12) + self.beta
        return x @ embedding_weight.t() + self.output_bias
