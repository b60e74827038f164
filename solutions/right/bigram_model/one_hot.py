import torch
import torch.nn as nn
import torch.nn.functional as F


class BigramLanguageModel(nn.Module):
    """A table is a linear layer on one-hot vectors."""

    def __init__(self, vocab_size):
        super().__init__()
        self.token_embedding_table = nn.Embedding(vocab_size, vocab_size)

    def forward(self, idx, targets=None):
        table = self.token_embedding_table.weight
        logits = F.one_hot(idx, table.shape[0]).to(table.dtype) @ table
        if targets is None:
            return logits
        return logits, F.nll_loss(F.log_softmax(logits, -1).flatten(0, 1), targets.flatten())
