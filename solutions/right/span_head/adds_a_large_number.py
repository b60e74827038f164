"""One layer for both scores, and -10,000 added at padding, as BERT's own masks are."""

from torch import nn


class SpanHead(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        self.scores = nn.Linear(hidden_size, 2)

    def forward(self, hidden_states, attention_mask=None):
        both = self.scores(hidden_states)
        if attention_mask is not None:
            both = both + (1.0 - attention_mask[..., None].to(both.dtype)) * -10_000.0
        return both[..., 0], both[..., 1]
