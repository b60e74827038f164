"""Labels may be given; then the loss comes first."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Pooler(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        self.dense = nn.Linear(hidden_size, hidden_size)

    def forward(self, hidden_states):
        return torch.tanh(self.dense(hidden_states[:, 0]))


class SequenceClassifier(nn.Module):
    def __init__(self, hidden_size, num_labels, dropout=0.1):
        super().__init__()
        self.pooler = Pooler(hidden_size)
        self.dropout = nn.Dropout(dropout)
        self.classifier = nn.Linear(hidden_size, num_labels)

    def forward(self, hidden_states, labels=None):
        logits = self.classifier(self.dropout(self.pooler(hidden_states)))
        if labels is None:
            return logits
        return F.cross_entropy(logits, labels), logits
