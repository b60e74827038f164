import torch


def adjust_logits(logits, temperature=1.0, top_k=None, top_p=None):
    batch, vocab = logits.shape
    values, places = (logits / temperature).topk(vocab if top_k is None else min(top_k, vocab), dim=-1)
    if top_p is not None:
        probs = values.softmax(-1)
        values = values.masked_fill(probs.cumsum(-1) - probs > top_p, float("-inf"))
    result = torch.full((batch, vocab), float("-inf"), dtype=logits.dtype)
    return result.scatter_(1, places, values)
