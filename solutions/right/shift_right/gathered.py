import torch


def shift_right(labels, start_id, pad_id):
    place = torch.arange(labels.shape[1]) - 1
    shifted = labels[:, place.clamp(min=0)]
    shifted = torch.where(place[None] < 0, torch.tensor(start_id), shifted)
    return shifted + (shifted == -100) * (pad_id + 100)
