import torch


def shift_right(labels, start_id, pad_id):
    B, S = labels.shape
    start = torch.full((B, 1), start_id, dtype=torch.long)
    ids = torch.cat((start, labels), dim=1)[:, :S]
    return torch.where(ids == -100, pad_id, ids)
