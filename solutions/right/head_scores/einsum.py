import torch


def head_scores(weights):
    length = weights.shape[-1]
    return dict(
        previous=torch.einsum("hii->h", weights[:, 1:, :-1]) / (length - 1),
        first=torch.einsum("hi->h", weights[..., 0]) / length,
        self=torch.einsum("hii->h", weights) / length,
        entropy=-torch.einsum("hij,hij->h", weights, weights.clamp(min=1e-30).log()) / length,
    )
