import torch
import torch.nn as nn


class Residual(nn.Module):
    def __init__(self, module, d_model, dropout=0.0, pre=True):
        super().__init__()
        self.module = module
        self.ln = nn.LayerNorm(d_model, eps=1e-12)
        self.dropout = nn.Dropout(p=dropout)
        self.run = self.forward_pre if pre else self.forward_post

    def forward_pre(self, x):
        return torch.add(x, self.dropout(self.module(self.ln(x))))

    def forward_post(self, x):
        return self.ln(torch.add(x, self.dropout(self.module(x))))

    def forward(self, x):
        return self.run(x)
