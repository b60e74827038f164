import torch
from torch import nn


class SequenceClassifier(nn.Module):
    def __init__(self, hidden_size, num_labels, dropout=0.1):
        super().__init__()
        self.W = nn.Parameter(torch.randn(hidden_size, hidden_size) * 0.02)
        self.b = nn.Parameter(torch.zeros(hidden_size))
        self.V = nn.Parameter(torch.randn(hidden_size, num_labels) * 0.02)
        self.c = nn.Parameter(torch.zeros(num_labels))
        self.drop = nn.Dropout(dropout)

    def forward(self, hidden_states):
        pooled = (hidden_states[:, 0] @ self.W + self.b).tanh()
        return self.drop(pooled) @ self.V + self.c
