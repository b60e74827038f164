"""A mistake in each exercise."""

import torch
import torch.nn as nn


class RNN(nn.Module):
    def __init__(self, input_size, hidden_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.i2h = nn.Linear(input_size + hidden_size, hidden_size)

    def forward(self, x, h0=None):
        h = torch.zeros(x.shape[0], self.hidden_size) if h0 is None else h0
        outputs = []
        for t in range(x.shape[1]):
            h = torch.relu(self.i2h(torch.cat([x[:, t], h], dim=1)))
            outputs.append(h)
        return torch.stack(outputs, dim=1), h


class LSTMCell(nn.Module):
    def __init__(self, input_size, hidden_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.x2h = nn.Linear(input_size, 4 * hidden_size)
        self.h2h = nn.Linear(hidden_size, 4 * hidden_size)

    def forward(self, x, h=None, c=None):
        h = torch.zeros(x.shape[0], self.hidden_size) if h is None else h
        c = torch.zeros(x.shape[0], self.hidden_size) if c is None else c
        i, f, o, g = (self.x2h(x) + self.h2h(h)).chunk(4, dim=1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.sigmoid(g)
        h = torch.sigmoid(o) * torch.tanh(c)
        return h, c


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
            h = torch.zeros(x.shape[0], self.hidden_size)
        r = torch.sigmoid(self.W_r(x) + self.U_r(h))
        z = torch.sigmoid(self.W_z(x) + self.U_z(h))
        n = torch.tanh(self.W_n(x) + self.U_n(r * h))
        return (1 - z) * h + z * n


def gradient_by_lag(model, x):
    x = x.clone().requires_grad_()
    outputs, _ = model(x)
    outputs[:, -1].sum().backward()
    return x.grad.norm(dim=-1).mean(dim=0)


def recall_by_lag(model, lags, trials, symbols, seed):
    generator = torch.Generator().manual_seed(seed)
    was_training = model.training
    model.eval()
    shares = []
    with torch.no_grad():
        for k in lags:
            ids = torch.zeros((trials, k + 1), dtype=torch.long)
            ids[:, 0] = torch.randint(1, symbols, (trials,), generator=generator)
            ids[:, k] = symbols + 1
            shares.append((model(ids)[:, -1].argmax(dim=-1) == ids[:, 0]).float().mean())
    model.train(was_training)
    return torch.stack(shares)
