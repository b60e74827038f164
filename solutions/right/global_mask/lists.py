import torch


def global_mask(local, is_global):
    hidden = local.tolist()
    masks = []
    for chosen in is_global.tolist():
        rows = range(len(chosen))
        masks.append([[hidden[i][j] and not chosen[i] and not chosen[j] for j in rows] for i in rows])
    return torch.tensor(masks)
