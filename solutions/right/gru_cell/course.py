import torch
import torch.nn as nn


class GRUCell(nn.Module):
    def __init__(self, input_size, hidden_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.W_r = nn.Linear(input_size, hidden_size)
        self.W_z = nn.Linear(input_size, hidden_size)
        self.W_n = nn.Linear(input_size, hidden_size)
        self.U_r = nn.Linear(hidden_size, hidden_size)
        self.U_z = nn.Linear(hidden_size, hidden_size)
        self.U_n = nn.Linear(hidden_size, hidden_size)

    def forward(self, x, h=None):
        if h is None:
            h = torch.zeros(x.shape[0], self.hidden_size, dtype=x.dtype)
        r = torch.sigmoid(self.W_r(x) + self.U_r(h))
        z = torch.sigmoid(self.W_z(x) + self.U_z(h))
        n = torch.tanh(self.W_n(x) + r * self.U_n(h))
        return (1 - z) * n + z * h
