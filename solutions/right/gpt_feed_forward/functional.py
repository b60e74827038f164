import torch.nn as nn
import torch.nn.functional as F


class PositionwiseFeedForward(nn.Module):
    def __init__(self, hidden_size, intermediate_size):
        super().__init__()
        self.fc2 = nn.Linear(intermediate_size, hidden_size)
        self.fc1 = nn.Linear(hidden_size, intermediate_size)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x):
        hidden = F.gelu(F.linear(x, self.fc1.weight, self.fc1.bias))
        return F.linear(self.dropout(hidden), self.fc2.weight, self.fc2.bias)
