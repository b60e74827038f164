import torch.nn as nn


class FeedForward(nn.Module):
    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__()
        ff_dim = ff_dim or 4 * embed_dim
        self.conv1 = nn.Conv1d(embed_dim, ff_dim, kernel_size=1)
        self.conv2 = nn.Conv1d(ff_dim, embed_dim, kernel_size=1)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        hidden = self.conv1(x.transpose(1, 2)).relu()
        return self.conv2(self.dropout(hidden)).transpose(1, 2)
