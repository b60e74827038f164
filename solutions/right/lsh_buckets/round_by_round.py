import torch


def lsh_buckets(x, rotations):
    n = 2 * rotations.shape[2]
    rounds = []
    for r in range(rotations.shape[1]):
        y = x @ rotations[:, r, :]
        rounds.append(torch.cat([y, -y], dim=-1).argmax(dim=-1) + r * n)
    return torch.stack(rounds, dim=-2)
