import torch
from torch import nn


class BigramLanguageModel(nn.Module):
    def __init__(self, vocab_size: int) -> None:
        super().__init__()
        self.token_embedding_table = nn.Embedding(vocab_size, vocab_size)

    def forward(self, idx, targets=None):
        rows = self.token_embedding_table.weight[idx]
        if targets is None:
            return rows
        picked = rows.gather(-1, targets.unsqueeze(-1)).squeeze(-1)
        losses = torch.logsumexp(rows, dim=-1) - picked
        return rows, losses.mean()
