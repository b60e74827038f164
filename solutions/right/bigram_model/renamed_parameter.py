import torch
from torch import nn
from torch.nn.functional import cross_entropy


class BigramLanguageModel(nn.Module):
    def __init__(self, vocab_size):
        super().__init__()
        self.table = nn.Parameter(torch.zeros(vocab_size, vocab_size))

    def forward(self, idx, targets=None):
        logits = self.table[idx]
        if targets is not None:
            flat = logits.flatten(end_dim=1)
            return flat, cross_entropy(flat, targets.reshape(-1))
        return logits
