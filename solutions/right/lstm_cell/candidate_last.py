"""The gates come in the order i, f, o, g, so that three of them go through one sigmoid."""

import torch
import torch.nn as nn


class LSTMCell(nn.Module):
    def __init__(self, embed_size, hidden_size):
        super().__init__()
        self.size = hidden_size
        self.from_input = nn.Linear(embed_size, 4 * hidden_size, bias=False)
        self.from_hidden = nn.Linear(hidden_size, 4 * hidden_size)

    def forward(self, token, hidden=None, memory=None):
        if hidden is None:
            hidden = torch.zeros((token.shape[0], self.size), device=token.device)
        if memory is None:
            memory = torch.zeros((token.shape[0], self.size), device=token.device)
        both = self.from_input(token) + self.from_hidden(hidden)
        gates = torch.sigmoid(both[:, : 3 * self.size])
        ingate, forget, out = gates.split(self.size, dim=1)
        memory = forget * memory + ingate * torch.tanh(both[:, 3 * self.size :])
        return out * torch.tanh(memory), memory
