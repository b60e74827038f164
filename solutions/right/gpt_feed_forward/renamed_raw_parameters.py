import torch
import torch.nn as nn


class PositionwiseFeedForward(nn.Module):
    def __init__(self, hidden_size, intermediate_size):
        super().__init__()
        self.W1 = nn.Parameter(torch.randn(hidden_size, intermediate_size) / hidden_size**0.5)
        self.b1 = nn.Parameter(torch.zeros(intermediate_size))
        self.W2 = nn.Parameter(torch.randn(intermediate_size, hidden_size) / intermediate_size**0.5)
        self.b2 = nn.Parameter(torch.zeros(hidden_size))

    def forward(self, x):
        return torch.relu(x @ self.W1 + self.b1) @ self.W2 + self.b2
