import torch
import torch.nn as nn


def linear(weight, bias):
    layer = nn.Linear(weight.shape[1], weight.shape[0]).to(weight.dtype)
    with torch.no_grad():
        layer.weight.copy_(weight)
        layer.bias.copy_(bias if bias is not None else torch.zeros(weight.shape[0]))
    return layer


def from_torch(theirs, mine):
    q, k, v = theirs.in_proj_weight.chunk(3, dim=0)
    bq, bk, bv = (None, None, None) if theirs.in_proj_bias is None else theirs.in_proj_bias.chunk(3)
    mine.W_q, mine.W_k, mine.W_v = linear(q, bq), linear(k, bk), linear(v, bv)
    mine.W_o = linear(theirs.out_proj.weight, theirs.out_proj.bias)
    return mine
