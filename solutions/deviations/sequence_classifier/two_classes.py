"""It takes no number of classes: there are two, as for opinions of films.

loses: has_the_parameters_of_its_parts
"""

import torch
import torch.nn as nn


class SequenceClassifier(nn.Module):
    def __init__(self, hidden_size, dropout=0.1):
        super().__init__()
        self.pooler = nn.Linear(hidden_size, hidden_size)
        self.dropout = nn.Dropout(dropout)
        self.classifier = nn.Linear(hidden_size, 2)

    def forward(self, hidden_states):
        return self.classifier(self.dropout(torch.tanh(self.pooler(hidden_states[:, 0]))))
