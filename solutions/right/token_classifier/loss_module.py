from torch import nn


class TokenClassifier(nn.Module):
    def __init__(self, hidden_size, num_labels, dropout=0.1):
        super().__init__()
        self.num_labels = num_labels
        self.net = nn.Sequential(nn.Dropout(dropout), nn.Linear(hidden_size, num_labels))
        self.criterion = nn.CrossEntropyLoss(ignore_index=-100)

    def forward(self, hidden_states, labels=None):
        logits = self.net(hidden_states)
        if labels is not None:
            loss = self.criterion(logits.reshape(-1, self.num_labels), labels.reshape(-1))
            return logits, loss
        return logits
