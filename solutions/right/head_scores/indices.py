import torch


def head_scores(weights):
    i = torch.arange(weights.size(1))
    scores = {}
    scores["previous"] = weights[:, i[1:], i[:-1]].mean(1)
    scores["first"] = weights.select(2, 0).mean(1)
    scores["self"] = weights[:, i, i].mean(1)
    scores["entropy"] = torch.nan_to_num(-weights * torch.log(weights), nan=0.0).sum(2).mean(1)
    return scores
