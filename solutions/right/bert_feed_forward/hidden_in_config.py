import torch.nn as nn


class PositionwiseFeedForward(nn.Module):
    """Beside another width in its configuration, the hidden width is that inside the network."""

    def __init__(self, config):
        super().__init__()
        self.widen = nn.Linear(config.d_emb, config.d_hidden)
        self.narrow = nn.Linear(config.d_hidden, config.d_emb)
        self.act = nn.GELU()

    def forward(self, x):
        return self.narrow(self.act(self.widen(x)))
