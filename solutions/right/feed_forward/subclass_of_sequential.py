from torch import nn


class FeedForward(nn.Sequential):
    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__(
            nn.Linear(embed_dim, ff_dim or 4 * embed_dim),
            nn.GELU(),
            nn.Dropout(dropout),
            nn.Linear(ff_dim or 4 * embed_dim, embed_dim),
        )
