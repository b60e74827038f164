import torch


def one_row(row, k, p):
    order = row.argsort(descending=True).tolist()
    kept = order if k is None else order[:k]
    if p is not None:
        shares = row[kept].softmax(0)
        total, needed = 0.0, []
        for word, share in zip(kept, shares.tolist()):
            needed.append(word)
            total += share
            if total >= p:
                break
        kept = needed
    new = torch.full_like(row, float("-inf"))
    new[kept] = row[kept]
    return new


def adjust_logits(logits, temperature=1.0, top_k=None, top_p=None):
    return torch.stack([one_row(row, top_k, top_p) for row in logits / temperature])
