import torch


def from_torch(theirs, mine):
    E = theirs.embed_dim
    W = theirs.in_proj_weight.data
    b = theirs.in_proj_bias.data if theirs.in_proj_bias is not None else torch.zeros(3 * E)
    mine.W_q.weight.data.copy_(W[:E])
    mine.W_k.weight.data.copy_(W[E : 2 * E])
    mine.W_v.weight.data.copy_(W[2 * E :])
    mine.W_q.bias.data.copy_(b[:E])
    mine.W_k.bias.data.copy_(b[E : 2 * E])
    mine.W_v.bias.data.copy_(b[2 * E :])
    mine.W_o.weight.data.copy_(theirs.out_proj.weight.data)
    if theirs.out_proj.bias is not None:
        mine.W_o.bias.data.copy_(theirs.out_proj.bias.data)
    else:
        mine.W_o.bias.data.fill_(0)
