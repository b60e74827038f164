"""nn.RNN has a first axis of layers in its states."""

import torch.nn as nn


class RNN(nn.Module):
    def __init__(self, input_size, hidden_size):
        super().__init__()
        self.rnn = nn.RNN(input_size, hidden_size, batch_first=True)

    def forward(self, x, h0=None):
        outputs, last = self.rnn(x, None if h0 is None else h0.unsqueeze(0))
        return outputs, last.squeeze(0)
