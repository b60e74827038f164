import torch


def scaled_dot_product_attention(Q, K, V, mask=None):
    with torch.autocast("cpu", enabled=False):
        scores = Q @ K.mT * Q.shape[-1] ** -0.5
        if mask is not None:
            scores = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
        weights = torch.softmax(scores, dim=-1, dtype=torch.float32)
        return weights @ V, weights
