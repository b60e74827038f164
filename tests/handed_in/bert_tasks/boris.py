"""A loss that is summed, and a mask the other way round."""

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
        return logits, F.cross_entropy(logits.transpose(1, 2), labels, reduction="sum")


class SpanHead(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        self.outputs = nn.Linear(hidden_size, 2)

    def forward(self, hidden_states, attention_mask=None):
        start, end = self.outputs(hidden_states).unbind(-1)
        if attention_mask is not None:
            start = start.masked_fill(attention_mask == 1, float("-inf"))
            end = end.masked_fill(attention_mask == 1, float("-inf"))
        return start, end
