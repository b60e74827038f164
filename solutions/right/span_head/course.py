import torch.nn as nn


class SpanHead(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        self.qa_outputs = nn.Linear(hidden_size, 2)

    def forward(self, hidden_states, attention_mask=None):
        logits = self.qa_outputs(hidden_states)
        start_logits, end_logits = logits.split(1, dim=-1)
        start_logits, end_logits = start_logits.squeeze(-1), end_logits.squeeze(-1)
        if attention_mask is not None:
            start_logits = start_logits.masked_fill(attention_mask == 0, float("-inf"))
            end_logits = end_logits.masked_fill(attention_mask == 0, float("-inf"))
        return start_logits, end_logits
