import torch


def adjust_logits(scores, temperature=1.0, top_k=None, top_p=None):
    scores = scores / temperature
    if top_k:
        top_k = min(top_k, scores.size(-1))
        scores = scores.masked_fill(scores < torch.topk(scores, top_k)[0][..., -1, None], -torch.inf)
    if top_p is not None and top_p < 1.0:
        ordered, indices = torch.sort(scores, descending=False)
        tail = ordered.softmax(dim=-1).cumsum(dim=-1) <= 1 - top_p
        tail[..., -1:] = False
        scores = scores.masked_fill(tail.scatter(1, indices, tail), -torch.inf)
    return scores
