from torch import nn
from torch.nn import functional as F


class TokenClassifier(nn.Module):
    def __init__(self, hidden_size, num_labels, dropout=0.1):
        super().__init__()
        self.p = dropout
        self.fc = nn.Linear(hidden_size, num_labels)

    def forward(self, x, y=None):
        logits = self.fc(F.dropout(x, self.p, self.training))
        return logits if y is None else (logits, F.cross_entropy(logits.transpose(1, 2), y))
