import torch
from torch import nn


class Pooler(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.proj = nn.Linear(width, width)
        self.act = nn.Tanh()

    def forward(self, hidden):
        return self.act(self.proj(hidden.narrow(1, 0, 1))).squeeze(1)


class SequenceClassifier(nn.Module):
    def __init__(self, hidden_size, num_labels, dropout=0.1):
        super().__init__()
        self.pooling = Pooler(hidden_size)
        self.keep = nn.Dropout(dropout)
        self.head = nn.Linear(hidden_size, num_labels)

    def forward(self, hidden_states):
        pooled = self.keep(self.pooling(hidden_states))
        return torch.einsum("be,ce->bc", pooled, self.head.weight) + self.head.bias
