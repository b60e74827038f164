import torch
import torch.nn as nn


class RNN(nn.Module):
    def __init__(self, input_size, hidden_size):
        super().__init__()
        raise NotImplementedError

    def forward(self, x, h0=None):
        raise NotImplementedError


class LSTMCell(nn.Module):
    def __init__(self, input_size, hidden_size):
        super().__init__()
        raise NotImplementedError

    def forward(self, x, h=None, c=None):
        raise NotImplementedError


class GRUCell(nn.Module):
    def __init__(self, input_size, hidden_size):
        super().__init__()
        raise NotImplementedError

    def forward(self, x, h=None):
        raise NotImplementedError


def gradient_by_lag(model, x):
    raise NotImplementedError


def recall_by_lag(model, lags, trials, symbols, seed):
    raise NotImplementedError
