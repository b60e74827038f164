import torch.nn as nn
import torch.nn.functional as F


class TiedHead(nn.Module):
    def __init__(self, embedding):
        super().__init__()
        self.embedding = embedding

    def forward(self, x):
        return F.linear(x, self.embedding.weight)


def tie_weights(model):
    model.lm_head = TiedHead(model.embedding)
    return model
