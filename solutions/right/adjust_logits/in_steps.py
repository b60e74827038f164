import torch

NEG = float("-inf")


def with_temperature(x, t):
    return x.div(t)


def with_top_k(x, k):
    if k is None or k >= x.shape[-1]:
        return x
    limit = x.kthvalue(x.shape[-1] - k + 1, dim=-1, keepdim=True).values
    return torch.where(x < limit, torch.tensor(NEG, dtype=x.dtype), x)


def with_top_p(x, p):
    if p is None or p == 1:
        return x
    y = x.clone()
    probabilities, index = torch.softmax(y, -1).sort(descending=True)
    first = (probabilities.cumsum(-1) >= p).int().argmax(-1)
    for row in range(len(y)):
        y[row, index[row, first[row] + 1 :]] = NEG
    return y


def adjust_logits(logits, temperature=1.0, top_k=None, top_p=None):
    return with_top_p(with_top_k(with_temperature(logits, temperature), top_k), top_p)
