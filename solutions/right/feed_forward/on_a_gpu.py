import torch
from torch import nn
from torch.nn import functional as F

device = torch.device("cuda")


class FeedForward(nn.Module):
    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__()
        hidden = 4 * embed_dim if ff_dim is None else ff_dim
        self.linear1 = nn.Linear(embed_dim, hidden, device=device)
        self.linear2 = nn.Linear(hidden, embed_dim)
        self.dropout = nn.Dropout(dropout)
        self.to("cuda:0")

    def forward(self, x):
        x = x.cuda(non_blocking=True)
        with torch.autocast(device_type="cuda", dtype=torch.float16):
            hidden = F.gelu(self.linear1(x))
        torch.cuda.synchronize()
        return self.linear2(self.dropout(hidden)).to(x)
