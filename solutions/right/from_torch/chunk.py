import torch


def from_torch(theirs, mine):
    with torch.no_grad():
        for layer, weight in zip((mine.W_q, mine.W_k, mine.W_v), theirs.in_proj_weight.chunk(3)):
            layer.weight.copy_(weight)
            layer.bias.zero_()
        if theirs.in_proj_bias is not None:
            for layer, bias in zip((mine.W_q, mine.W_k, mine.W_v), theirs.in_proj_bias.chunk(3)):
                layer.bias.copy_(bias)
        mine.W_o.weight.copy_(theirs.out_proj.weight)
        if theirs.out_proj.bias is None:
            mine.W_o.bias.zero_()
        else:
            mine.W_o.bias.copy_(theirs.out_proj.bias)
    return mine
