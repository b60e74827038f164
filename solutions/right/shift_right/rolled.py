import torch


def shift_right(labels, start_id, pad_id):
    ids = torch.roll(labels, shifts=1, dims=1)
    ids[:, 0] = start_id
    ids[ids == -100] = pad_id
    return ids
