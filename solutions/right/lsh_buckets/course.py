import torch


def lsh_buckets(x, rotations):
    _, n_rounds, half = rotations.shape
    rotated = torch.einsum("...sd,drn->...rsn", x, rotations)
    buckets = torch.argmax(torch.cat((rotated, -rotated), dim=-1), dim=-1)
    offsets = 2 * half * torch.arange(n_rounds)
    return buckets + offsets[:, None]
