import torch
import torch.nn as nn


class RNN(nn.Module):
    def __init__(self, input_size, hidden_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.W_x = nn.Linear(input_size, hidden_size)
        self.W_h = nn.Linear(hidden_size, hidden_size)

    def forward(self, x, h0=None):
        B, S, _ = x.shape
        h = torch.zeros(B, self.hidden_size, dtype=x.dtype, device=x.device) if h0 is None else h0
        outputs = []
        for t in range(S):
            h = torch.tanh(self.W_x(x[:, t]) + self.W_h(h))
            outputs.append(h)
        return torch.stack(outputs, dim=1), h
