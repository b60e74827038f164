"""Numbered layers, of which the second is the gate; sizes from a configuration."""

import torch.nn as nn


class SwiGLU(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.fc1 = nn.Linear(cfg["emb_dim"], cfg["hidden_dim"], bias=False)
        self.fc2 = nn.Linear(cfg["emb_dim"], cfg["hidden_dim"], bias=False)
        self.fc3 = nn.Linear(cfg["hidden_dim"], cfg["emb_dim"], bias=False)

    def forward(self, x):
        passes = self.fc1(x)
        gate = nn.functional.silu(self.fc2(x))
        return self.fc3(passes * gate)
