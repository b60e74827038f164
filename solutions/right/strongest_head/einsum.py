import torch


def strongest(attentions, kind):
    scores = []
    for weights in attentions:
        B, H, S, _ = weights.shape
        if kind == "previous":
            score = torch.einsum("bhii->h", weights[:, :, 1:, :-1]) / (B * (S - 1))
        elif kind == "first":
            score = torch.einsum("bhi->h", weights[..., 0]) / (B * S)
        elif kind == "self":
            score = torch.einsum("bhii->h", weights) / (B * S)
        else:
            score = torch.einsum("bhij,bhij->h", weights, weights.clamp(min=1e-30).log()) / (B * S)
        scores.append(score)
    best = torch.cat(scores).argmax()
    return tuple(int(i) for i in torch.unravel_index(best, (len(attentions), len(scores[0]))))
