import torch


def perplexity(logits, targets, ignore_index=-100):
    logp = torch.log_softmax(logits, dim=-1)
    mask = targets.ne(ignore_index)
    picked = logp.gather(-1, targets.masked_fill(~mask, 0).unsqueeze(-1)).squeeze(-1)
    nll = -(picked * mask).sum() / mask.sum()
    return nll.exp()
