"""Heads as transformers has them, right: losses where labels or positions are given."""

import torch.nn as nn
import torch.nn.functional as F


class TokenClassifier(nn.Module):
    def __init__(self, hidden_size, num_labels, dropout=0.1):
        super().__init__()
        self.num_labels = num_labels
        self.dropout = nn.Dropout(dropout)
        self.classifier = nn.Linear(hidden_size, num_labels)

    def forward(self, sequence_output, labels=None):
        logits = self.classifier(self.dropout(sequence_output))
        if labels is None:
            return logits
        return logits, nn.CrossEntropyLoss()(logits.view(-1, self.num_labels), labels.view(-1))


class SpanHead(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        self.qa_outputs = nn.Linear(hidden_size, 2)

    def forward(self, sequence_output, attention_mask=None, start_positions=None, end_positions=None):
        start, end = (each.squeeze(-1) for each in self.qa_outputs(sequence_output).split(1, dim=-1))
        if attention_mask is not None:
            start, end = (each.masked_fill(attention_mask == 0, float("-inf")) for each in (start, end))
        if start_positions is None:
            return start, end
        return F.cross_entropy(start, start_positions) + F.cross_entropy(end, end_positions), start, end
