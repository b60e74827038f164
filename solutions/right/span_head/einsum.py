import torch
from torch import nn
from torch.nn import functional as F


class SpanHead(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        self.output = nn.Linear(hidden_size, 2)

    def hide(self, logits, keep):
        return logits if keep is None else logits + torch.log(keep.to(logits.dtype))

    def forward(self, hidden_states, attention_mask=None):
        both = torch.einsum("bse,oe->obs", hidden_states, self.output.weight)
        both = both + F.pad(self.output.bias[:, None, None], (0, 0))
        return tuple(self.hide(each, attention_mask) for each in both)
