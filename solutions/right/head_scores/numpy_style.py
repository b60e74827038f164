import numpy as np
import torch


def head_scores(weights):
    w = weights.detach().numpy()
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.where(w > 0, np.log(w), 0)
    scores = {
        "previous": np.diagonal(w, offset=-1, axis1=1, axis2=2).mean(1),
        "first": w[:, :, 0].mean(1),
        "self": np.diagonal(w, axis1=1, axis2=2).mean(1),
        "entropy": -(w * logs).sum(2).mean(1),
    }
    return {name: torch.from_numpy(values.astype(w.dtype)) for name, values in scores.items()}
