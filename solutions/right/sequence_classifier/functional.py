import torch
from torch import nn
from torch.nn import functional as F


class SequenceClassifier(nn.Module):
    def __init__(self, hidden_size, num_labels, dropout=0.1):
        super().__init__()
        self.rate = dropout
        self.fc1 = nn.Linear(hidden_size, hidden_size)
        self.fc2 = nn.Linear(hidden_size, num_labels)

    def forward(self, x):
        cls, *_ = x.unbind(1)
        z = torch.tanh(self.fc1(cls))
        z = F.dropout(z, p=self.rate, training=self.training)
        return self.fc2(z)
