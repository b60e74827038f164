import math

from torch import nn


class SpanHead(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        self.scores = nn.Linear(hidden_size, 2)

    def forward(self, x, mask=None):
        logits = self.scores(x).permute(2, 0, 1)
        if mask is not None:
            logits = logits.masked_fill(mask[None] == 0, -math.inf)
        return logits[0], logits[1]
