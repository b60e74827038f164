import math

import torch
import torch.nn as nn


class SelfAttention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.d_model = d_model
        self.to_queries = nn.Linear(d_model, d_model)
        self.to_keys = nn.Linear(d_model, d_model)
        self.to_values = nn.Linear(d_model, d_model)
        self.softmax = nn.Softmax(dim=-1)

    def forward(self, x, mask=None):
        queries, keys, values = self.to_queries(x), self.to_keys(x), self.to_values(x)
        scores = torch.matmul(queries / math.sqrt(self.d_model), keys.transpose(1, 2))
        if mask is not None:
            scores = scores.masked_fill(mask == True, float("-inf"))
        weights = self.softmax(scores)
        return torch.matmul(weights, values), weights
