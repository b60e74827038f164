import torch
from torch import nn


class Transform(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        self.dense = nn.Linear(hidden_size, hidden_size)
        self.transform_act_fn = nn.GELU()
        self.LayerNorm = nn.LayerNorm(hidden_size, eps=1e-5)

    def forward(self, hidden_states):
        return self.LayerNorm(self.transform_act_fn(self.dense(hidden_states)))


class MaskedLMHead(nn.Module):
    def __init__(self, vocab_size, hidden_size):
        super().__init__()
        self.transform = Transform(hidden_size)
        self.decoder_bias = nn.Parameter(torch.zeros(vocab_size))

    def forward(self, hidden_states, embedding_weight):
        x = self.transform(hidden_states)
        return torch.matmul(x, embedding_weight.transpose(0, 1)) + self.decoder_bias
