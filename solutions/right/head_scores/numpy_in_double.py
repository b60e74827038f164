import numpy as np
import torch


def head_scores(weights):
    w = weights.detach().cpu().numpy().astype(np.float64)
    length = w.shape[-1]
    entropy = -np.sum(w * np.log(np.clip(w, 1e-12, None)), axis=-1)
    scores = {
        "previous": w[:, np.arange(1, length), np.arange(length - 1)],
        "first": w[:, :, 0],
        "self": w[:, np.arange(length), np.arange(length)],
        "entropy": entropy,
    }
    return {name: torch.tensor(values.mean(axis=-1)) for name, values in scores.items()}
