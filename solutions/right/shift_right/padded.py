import torch.nn.functional as F


def shift_right(labels, start_id, pad_id):
    kept = labels.masked_fill(labels.lt(0), pad_id)
    return F.pad(kept[:, :-1], (1, 0), value=start_id)
