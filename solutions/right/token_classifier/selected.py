import torch
from torch import nn
import torch.nn.functional as F


class TokenClassifier(nn.Module):
    def __init__(self, hidden_size: int, num_labels: int, dropout: float = 0.1):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        self.out = nn.Linear(hidden_size, num_labels)

    def loss(self, logits, labels):
        active = labels.ne(-100)
        return F.nll_loss(F.log_softmax(logits[active], dim=-1), labels[active])

    def forward(self, hidden_states: torch.Tensor, labels=None):
        logits = self.out(self.dropout(hidden_states))
        return (logits, self.loss(logits, labels)) if labels is not None else logits
