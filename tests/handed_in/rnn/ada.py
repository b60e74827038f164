"""Everything is right, each exercise in a style of its own."""

import torch
import torch.nn as nn


class RNN(nn.Module):
    def __init__(self, input_size, hidden_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.i2h = nn.Linear(input_size + hidden_size, hidden_size)

    def forward(self, x, h0=None):
        hidden = h0 if h0 is not None else x.new_zeros(x.size(0), self.hidden_size)
        collected = []
        for step in range(x.size(1)):
            combined = torch.cat((x[:, step, :], hidden), dim=1)
            hidden = self.i2h(combined).tanh()
            collected += [hidden]
        return torch.stack(collected).transpose(0, 1), hidden


class LSTMCell(nn.Module):
    def __init__(self, input_size, hidden_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.xh = nn.Linear(input_size, 4 * hidden_size)
        self.hh = nn.Linear(hidden_size, 4 * hidden_size)

    def forward(self, x, state=None):
        if state is None:
            h = c = torch.zeros(x.shape[0], self.hidden_size)
        else:
            h, c = state
        i, f, g, o = (self.xh(x) + self.hh(h)).chunk(4, -1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        return torch.sigmoid(o) * torch.tanh(c), c


class GRUCell(nn.Module):
    def __init__(self, input_size, hidden_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.W_r, self.W_z, self.W_n = [nn.Linear(input_size, hidden_size) for _ in range(3)]
        self.U_r, self.U_z, self.U_n = [nn.Linear(hidden_size, hidden_size) for _ in range(3)]

    def forward(self, x, h=None):
        if h is None:
            h = x.new_zeros(x.size(0), self.hidden_size)
        reset = (self.W_r(x) + self.U_r(h)).sigmoid()
        update = (self.W_z(x) + self.U_z(h)).sigmoid()
        new = (self.W_n(x) + reset * self.U_n(h)).tanh()
        return h + update * (new - h)


def gradient_by_lag(model, x):
    leaves = [x[:, t].clone().requires_grad_() for t in range(x.shape[1])]
    answer = model(torch.stack(leaves, dim=1))
    grads = torch.autograd.grad(answer[0][:, -1].sum(), leaves)
    return torch.stack([g.norm(dim=1).mean() for g in reversed(grads)])


def recall_by_lag(model, lags, trials, symbols, seed, batch_size=4):
    g = torch.Generator()
    g.manual_seed(seed)
    drawn = {lag: torch.randint(symbols, (trials,), generator=g) + 1 for lag in lags}
    state = model.training
    model.eval()
    shares = []
    with torch.no_grad():
        for lag, answers in drawn.items():
            correct = 0
            for some in answers.split(batch_size):
                blanks = torch.zeros(len(some), lag - 1, dtype=torch.int64)
                question = torch.full((len(some),), symbols + 1)
                ids = torch.column_stack([some, blanks, question])
                correct += (model(ids)[:, -1, :].argmax(-1) == some).sum().item()
            shares.append(correct / trials)
    model.train(state)
    return torch.tensor(shares)
