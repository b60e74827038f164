import torch


def head_scores(weights):
    previous = weights.diagonal(offset=-1, dim1=1, dim2=2).mean(dim=-1)
    first = weights[:, :, 0].mean(dim=-1)
    itself = weights.diagonal(dim1=1, dim2=2).mean(dim=-1)
    log = torch.where(weights > 0, weights.log(), torch.zeros_like(weights))
    entropy = -(weights * log).sum(dim=-1).mean(dim=-1)
    return {"previous": previous, "first": first, "self": itself, "entropy": entropy}


def strongest(attentions, kind):
    best, place = None, None
    for l, layer in enumerate(attentions):
        scores = sum(head_scores(weights)[kind] for weights in layer) / len(layer)
        if kind == "entropy":
            scores = -scores
        for h, score in enumerate(scores.tolist()):
            if best is None or score > best:
                best, place = score, (l, h)
    return place
