import torch.nn as nn
import torch.nn.functional as F


class TokenClassifier(nn.Module):
    def __init__(self, hidden_size, num_labels, dropout=0.1):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.classifier = nn.Linear(hidden_size, num_labels)

    def forward(self, hidden_states, labels=None):
        logits = self.classifier(self.dropout(hidden_states))
        if labels is None:
            return logits
        B, S, C = logits.shape
        return logits, F.cross_entropy(logits.view(B * S, C), labels.view(B * S))
