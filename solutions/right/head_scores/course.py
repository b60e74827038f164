import torch


def head_scores(weights):
    H, S, _ = weights.shape
    previous = torch.diagonal(weights, offset=-1, dim1=1, dim2=2).mean(dim=-1)
    first = weights[:, :, 0].mean(dim=-1)
    itself = torch.diagonal(weights, dim1=1, dim2=2).mean(dim=-1)
    log = torch.where(weights > 0, weights.log(), torch.zeros_like(weights))
    entropy = -(weights * log).sum(dim=-1).mean(dim=-1)
    return {"previous": previous, "first": first, "self": itself, "entropy": entropy}
