import torch
import torch.nn as nn


class PositionwiseFeedForward(nn.Sequential):
    def __init__(self, hidden_size: int, intermediate_size: int) -> None:
        super().__init__()
        self.add_module("fc1", nn.Linear(hidden_size, intermediate_size))
        self.add_module("gelu", nn.GELU())
        self.add_module("fc2", nn.Linear(intermediate_size, hidden_size))
