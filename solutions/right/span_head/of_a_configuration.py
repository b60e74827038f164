"""The number of scores is one of labels, from a configuration."""

import torch
import torch.nn as nn


class SpanHead(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.num_labels = config.num_labels
        self.qa_outputs = nn.Linear(config.hidden_size, config.num_labels)

    def forward(self, hidden_states, attention_mask=None):
        scores = self.qa_outputs(hidden_states)
        if attention_mask is not None:
            scores = scores.masked_fill(attention_mask.unsqueeze(-1) == 0, torch.finfo(scores.dtype).min)
        start_logits, end_logits = scores.split(1, dim=-1)
        return start_logits.squeeze(-1).contiguous(), end_logits.squeeze(-1).contiguous()
