import torch.nn as nn


class LSTMCell(nn.Module):
    def __init__(self, input_size, hidden_size):
        super().__init__()
        self.cell = nn.LSTMCell(input_size, hidden_size)

    def forward(self, x, h=None, c=None):
        if h is None or c is None:
            zeros = x.new_zeros(len(x), self.cell.hidden_size)
            h, c = zeros if h is None else h, zeros if c is None else c
        return self.cell(x, (h, c))
