import torch
import torch.nn as nn


class Head(nn.Module):
    def __init__(self, n_embd, head_size, block_size, dropout=0.0):
        super().__init__()
        self.key = nn.Linear(n_embd, head_size, bias=False)
        self.query = nn.Linear(n_embd, head_size, bias=False)
        self.value = nn.Linear(n_embd, head_size, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        K, Q, V = self.key(x), self.query(x), self.value(x)
        outputs = []
        for t in range(x.shape[1]):
            past_keys, past_values = K[:, : t + 1], V[:, : t + 1]
            scores = (past_keys @ Q[:, t, :, None]).squeeze(-1) / Q.shape[-1] ** 0.5
            weights = self.dropout(scores.softmax(dim=-1))
            outputs.append((weights.unsqueeze(1) @ past_values).squeeze(1))
        return torch.stack(outputs, dim=1)
