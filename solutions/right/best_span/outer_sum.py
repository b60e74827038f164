import torch


def best_span(start_logits, end_logits, max_len):
    S = start_logits.size(0)
    scores = start_logits.unsqueeze(1) + end_logits.unsqueeze(0)
    band = torch.ones(S, S, dtype=torch.bool).triu().tril(max_len - 1)
    scores = scores.masked_fill(~band, float("-inf"))
    flat = torch.argmax(scores.view(-1)).item()
    return flat // S, flat % S
