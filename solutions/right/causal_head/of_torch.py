import torch.nn as nn
import torch.nn.functional as F


class Head(nn.Module):
    def __init__(self, n_embd, head_size, block_size, dropout=0.0):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(n_embd, head_size, bias=False) for _ in range(3))
        self.p = dropout

    def forward(self, x):
        p = self.p if self.training else 0.0
        return F.scaled_dot_product_attention(self.query(x), self.key(x), self.value(x), dropout_p=p, is_causal=True)
