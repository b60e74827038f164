import torch


def strongest(attentions, kind):
    A = torch.stack(list(attentions))
    L, B, H, S, _ = A.shape
    if kind == "previous":
        score = A.diagonal(-1, -2, -1).mean(-1)
    elif kind == "self":
        score = A.diagonal(0, -2, -1).mean(-1)
    elif kind == "first":
        score = A[..., 0].mean(-1)
    else:
        score = -torch.special.entr(A).sum(-1).mean(-1)
    flat = score.mean(1).reshape(-1).argmax().item()
    return flat // H, flat % H
