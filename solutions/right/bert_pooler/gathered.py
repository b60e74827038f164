import torch
from torch import nn
from torch.nn import functional as F


class BertPooler(nn.Module):
    def __init__(self, hidden_size):
        super(BertPooler, self).__init__()
        self.hidden_size = hidden_size
        self.linear = nn.Linear(hidden_size, hidden_size, bias=True)

    def forward(self, hidden_states):
        index = torch.zeros(hidden_states.size(0), 1, self.hidden_size, dtype=torch.long)
        cls_token = hidden_states.gather(1, index).reshape(-1, self.hidden_size)
        return F.tanh(self.linear(cls_token))
