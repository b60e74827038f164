"""It reads a configuration, which has no number of classes: there are always two.

loses: has_the_parameters_of_its_parts
"""

import torch
import torch.nn as nn


class SequenceClassifier(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.first = nn.Sequential(nn.Linear(config.hidden_size, config.hidden_size), nn.Tanh())
        self.dropout = nn.Dropout(config.dropout)
        self.out = nn.Linear(config.hidden_size, 2)

    def forward(self, hidden):
        return self.out(self.dropout(self.first(hidden.select(1, 0))))
