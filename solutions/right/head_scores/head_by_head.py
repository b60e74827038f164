import torch


def head_scores(weights):
    heads = []
    for head in weights:
        rows = torch.stack([torch.xlogy(row, row) for row in head])
        heads.append([head[1:, :-1].trace() / (len(head) - 1), head[:, 0].mean(), head.trace() / len(head),
                      -rows.sum(1).mean()])
    table = torch.stack([torch.stack(row) for row in heads])
    return dict(zip(["previous", "first", "self", "entropy"], table.T))
