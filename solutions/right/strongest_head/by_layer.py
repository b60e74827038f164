import torch


def in_layer(weights, kind):
    S = weights.shape[-1]
    i = torch.arange(S)
    if kind == "previous":
        return weights[:, :, i[1:], i[:-1]].mean((0, 2))
    if kind == "self":
        return weights[:, :, i, i].mean((0, 2))
    if kind == "first":
        return weights.select(-1, 0).mean((0, 2))
    return torch.xlogy(weights, weights).sum(-1).mean((0, 2))


def strongest(attentions, kind):
    values, heads = zip(*(in_layer(weights, kind).max(dim=0) for weights in attentions))
    layer = torch.stack(values).argmax().item()
    return layer, heads[layer].item()
