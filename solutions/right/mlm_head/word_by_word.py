import torch
from torch import nn
from torch.nn import functional as F


class MaskedLMHead(nn.Module):
    def __init__(self, vocab_size: int, hidden_size: int):
        super().__init__()
        self.fc = nn.Linear(hidden_size, hidden_size)
        self.norm = nn.LayerNorm(hidden_size, eps=1e-12)
        self.word_bias = nn.Parameter(torch.zeros(vocab_size))

    def forward(self, hidden_states, embedding_weight):
        x = self.norm(F.gelu(self.fc(hidden_states)))
        scores = [(x * row).sum(-1) + b for row, b in zip(embedding_weight, self.word_bias)]
        return torch.stack(scores, dim=-1)
