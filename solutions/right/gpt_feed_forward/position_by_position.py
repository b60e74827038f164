import torch
import torch.nn as nn


class PositionwiseFeedForward(nn.Module):
    def __init__(self, hidden_size, intermediate_size):
        super().__init__()
        layers = {"fc1": nn.Linear(hidden_size, intermediate_size), "fc2": nn.Linear(intermediate_size, hidden_size)}
        for name, layer in layers.items():
            self.add_module(name, layer)

    def forward(self, x):
        return torch.stack([self.fc2(self.fc1(position).clamp(min=0)) for position in x.unbind(1)], dim=1)
