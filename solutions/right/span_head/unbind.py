import torch
from torch import nn


class SpanHead(nn.Module):
    def __init__(self, hidden_size: int):
        super().__init__()
        self.classifier = nn.Linear(hidden_size, 2)

    def forward(self, hidden_states, attention_mask=None):
        start, end = self.classifier(hidden_states).unbind(dim=-1)
        if attention_mask is not None:
            padding = ~attention_mask.to(torch.bool)
            start, end = start.clone(), end.clone()
            start[padding] = -1e4
            end[padding] = -1e4
        return start, end
