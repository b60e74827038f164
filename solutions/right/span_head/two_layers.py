from torch import nn


class SpanHead(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        self.start = nn.Linear(hidden_size, 1)
        self.end = nn.Linear(hidden_size, 1)

    def forward(self, hidden_states, attention_mask=None):
        scores = [layer(hidden_states).squeeze(-1) for layer in (self.start, self.end)]
        if attention_mask is None:
            return tuple(scores)
        hidden = (1.0 - attention_mask.float()) * -1e9
        return tuple(score + hidden for score in scores)
