import torch


def shift_right(labels, start_id, pad_id):
    shifted = labels.new_zeros(labels.shape)
    shifted[:, 1:] = labels[:, :-1].clone()
    shifted[:, 0] = start_id
    shifted.masked_fill_(shifted == -100, pad_id)
    return shifted
