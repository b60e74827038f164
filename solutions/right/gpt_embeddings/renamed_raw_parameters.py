import torch
import torch.nn as nn
import torch.nn.functional as F


class GPTEmbeddings(nn.Module):
    def __init__(self, vocab_size, hidden_size, max_position_embeddings=512):
        super().__init__()
        self.pos = nn.Parameter(torch.randn(1, max_position_embeddings, hidden_size) * 0.02)
        self.tok = nn.Parameter(torch.randn(vocab_size, hidden_size) * 0.02)
        self.gamma = nn.Parameter(torch.ones(hidden_size))
        self.beta = nn.Parameter(torch.zeros(hidden_size))
        self.dropout = nn.Dropout(0.1)

    def forward(self, input_ids):
        x = self.tok[input_ids] + self.pos[:, : input_ids.shape[1]]
        return self.dropout(F.layer_norm(x, x.shape[-1:], self.gamma, self.beta, 1e-5))
