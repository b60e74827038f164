from torch import nn


class BertPooler(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        self.pool = nn.Sequential(nn.Linear(hidden_size, hidden_size), nn.Tanh())

    def forward(self, x):
        return self.pool(x[:, :1]).squeeze(1)
