import torch


def head_scores(weights):
    length = weights.shape[1]
    before = torch.diag(torch.ones(length - 1, dtype=weights.dtype), diagonal=-1)
    itself = torch.eye(length, dtype=weights.dtype)
    return {
        "previous": (weights * before).sum((1, 2)) / before.sum(),
        "first": weights[:, :, 0].sum(1) / length,
        "self": (weights * itself).sum((1, 2)) / itself.sum(),
        "entropy": torch.special.entr(weights).sum((1, 2)) / length,
    }
