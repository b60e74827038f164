"""Positions may be given; then the loss comes first."""

import torch.nn as nn
import torch.nn.functional as F


class SpanHead(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        self.qa_outputs = nn.Linear(hidden_size, 2)

    def forward(self, hidden_states, attention_mask=None, start_positions=None, end_positions=None):
        start, end = (each.squeeze(-1) for each in self.qa_outputs(hidden_states).split(1, dim=-1))
        if attention_mask is not None:
            start, end = (each.masked_fill(attention_mask == 0, -1e9) for each in (start, end))
        loss = None
        if start_positions is not None and end_positions is not None:
            loss = (F.cross_entropy(start, start_positions) + F.cross_entropy(end, end_positions)) / 2
        return (start, end) if loss is None else (loss, start, end)
