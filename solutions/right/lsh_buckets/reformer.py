import torch


def lsh_buckets(x, rotations):
    # After the code of Reformer: flattened, with offsets, then put into rounds.
    lead, (S, D) = x.shape[:-2], x.shape[-2:]
    vectors = x.reshape(-1, S, D)
    num_hashes, num_buckets = rotations.shape[1], 2 * rotations.shape[2]
    rotated = torch.einsum("btd,dhr->bhtr", vectors, rotations)
    rotated = torch.cat([rotated, -rotated], dim=-1)
    buckets = torch.argmax(rotated, dim=-1)
    offsets = torch.arange(num_hashes) * num_buckets
    buckets = (buckets + offsets.view(1, -1, 1)).flatten(start_dim=1)
    return buckets.reshape(*lead, num_hashes, S)
