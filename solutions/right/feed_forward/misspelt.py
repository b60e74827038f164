import torch
import torch.nn as nn


class FeedFoward(nn.Module):
    """The name is that of the course's document on MiniGPT, with ReLU, and with dropout last."""

    def __init__(self, n_embd, ff_dim=None, dropout=0.2):
        super().__init__()
        ff_dim = ff_dim or 4 * n_embd
        self.net = nn.Sequential(
            nn.Linear(n_embd, ff_dim),
            nn.ReLU(),
            nn.Linear(ff_dim, n_embd),
            nn.Dropout(dropout),
        )

    def forward(self, x):
        return self.net(x)
