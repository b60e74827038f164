from torch import nn


class Residual(nn.Module):
    def __init__(self, layer, dim, dropout=0.0, pre=True):
        super().__init__()
        norm, nothing = nn.LayerNorm(dim), nn.Identity()
        self.before, self.after = (norm, nothing) if pre else (nothing, norm)
        self.branch = nn.ModuleList([layer, nn.Dropout(dropout)])

    def forward(self, x):
        out = self.before(x)
        for part in self.branch:
            out = part(out)
        return self.after(out + x)
