import torch


def lsh_buckets(x, rotations):
    directions = rotations.permute(1, 0, 2)  # (R, D, n / 2)
    y = x.unsqueeze(-3) @ directions
    scores = torch.concatenate([y, y.neg()], dim=-1)
    best = scores.topk(1, dim=-1).indices.squeeze(-1)
    first = torch.arange(0, best.shape[-2] * scores.shape[-1], scores.shape[-1])
    return best + first.reshape(-1, 1)
