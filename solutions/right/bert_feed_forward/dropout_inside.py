import torch
import torch.nn as nn
import torch.nn.functional as F


class PositionwiseFeedForward(nn.Module):
    def __init__(self, hidden_size, intermediate_size):
        super().__init__()
        self.fc1 = nn.Linear(hidden_size, intermediate_size)
        self.fc2 = nn.Linear(intermediate_size, hidden_size)
        self.net = lambda x: self.fc2(F.dropout(F.gelu(self.fc1(x)), 0.1, self.training))

    def forward(self, x):
        return self.net(x)
