import torch
import torch.nn as nn


def from_torch(theirs, mine):
    E = theirs.embed_dim
    weights = theirs.in_proj_weight.view(3, E, E)
    biases = torch.zeros(3, E, dtype=weights.dtype)
    out_bias = torch.zeros(E, dtype=weights.dtype)
    if theirs.in_proj_bias is not None:
        biases, out_bias = theirs.in_proj_bias.view(3, E), theirs.out_proj.bias
    for i, name in enumerate(["W_q", "W_k", "W_v"]):
        layer = getattr(mine, name)
        layer.weight = nn.Parameter(weights[i].detach().clone())
        layer.bias = nn.Parameter(biases[i].detach().clone())
    mine.W_o.weight = nn.Parameter(theirs.out_proj.weight.detach().clone())
    mine.W_o.bias = nn.Parameter(out_bias.detach().clone())
    return mine
