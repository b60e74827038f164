import torch


def pair_inputs(a, b, cls, sep, max_len, pad=0):
    na, nb = len(a), len(b)
    while na + nb > max_len - 3:
        if na > nb:
            na -= 1
        else:
            nb -= 1
    used = na + nb + 3
    ids = torch.full((max_len,), pad, dtype=torch.long)
    ids[:used] = torch.tensor([cls, *a[:na], sep, *b[:nb], sep])
    types = torch.zeros(max_len, dtype=torch.long)
    types[na + 2 : used] = 1
    mask = (torch.arange(max_len) < used).long()
    return ids, types, mask
