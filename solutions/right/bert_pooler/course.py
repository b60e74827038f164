import torch
import torch.nn as nn


class BertPooler(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        self.dense = nn.Linear(hidden_size, hidden_size)

    def forward(self, hidden_states):
        cls = hidden_states[:, 0, :]
        return torch.tanh(self.dense(cls))
