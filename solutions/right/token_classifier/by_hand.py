import torch
from torch import nn


class TokenClassifier(nn.Module):
    def __init__(self, hidden_size, num_labels, dropout=0.1):
        super().__init__()
        self.drop = nn.Dropout(dropout)
        self.W = nn.Parameter(torch.randn(hidden_size, num_labels) * 0.02)
        self.b = nn.Parameter(torch.zeros(num_labels))

    def forward(self, hidden_states, labels=None):
        logits = self.drop(hidden_states) @ self.W + self.b
        if labels is None:
            return logits
        kept = labels != -100
        logs = logits.log_softmax(-1)
        chosen = logs.gather(-1, labels.clamp(min=0).unsqueeze(-1)).squeeze(-1)
        return logits, -(chosen * kept).sum() / kept.sum()
