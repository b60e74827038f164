import torch
import torch.nn as nn


class LSTMCell(nn.Module):
    def __init__(self, input_size, hidden_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.W_i = nn.Linear(input_size, hidden_size)
        self.W_f = nn.Linear(input_size, hidden_size)
        self.W_g = nn.Linear(input_size, hidden_size)
        self.W_o = nn.Linear(input_size, hidden_size)
        self.U_i = nn.Linear(hidden_size, hidden_size)
        self.U_f = nn.Linear(hidden_size, hidden_size)
        self.U_g = nn.Linear(hidden_size, hidden_size)
        self.U_o = nn.Linear(hidden_size, hidden_size)

    def forward(self, x, h=None, c=None):
        if h is None:
            h = torch.zeros(x.shape[0], self.hidden_size, dtype=x.dtype)
        if c is None:
            c = torch.zeros(x.shape[0], self.hidden_size, dtype=x.dtype)
        i = torch.sigmoid(self.W_i(x) + self.U_i(h))
        f = torch.sigmoid(self.W_f(x) + self.U_f(h))
        g = torch.tanh(self.W_g(x) + self.U_g(h))
        o = torch.sigmoid(self.W_o(x) + self.U_o(h))
        c = f * c + i * g
        h = o * torch.tanh(c)
        return h, c
