import torch


def shift_right(labels, start_id, pad_id):
    result = torch.empty_like(labels)
    for b in range(labels.size(0)):
        previous = start_id
        for s in range(labels.size(1)):
            result[b, s] = previous if previous != -100 else pad_id
            previous = labels[b, s].item()
    return result
