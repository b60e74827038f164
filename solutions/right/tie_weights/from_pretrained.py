import torch
from torch import nn


def tie_weights(net):
    table = nn.Parameter(net.lm_head.weight.detach().clone())
    net.embedding = nn.Embedding(*table.shape, _weight=table)
    net.lm_head.weight = net.embedding.weight
    return net
