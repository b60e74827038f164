import torch


def strongest(attentions, kind):
    columns = {"previous": -1, "self": 0}

    def score(head):
        if kind in columns:
            return torch.diagonal(head, columns[kind]).mean().item()
        if kind == "first":
            return head[:, 0].mean().item()
        return torch.distributions.Categorical(probs=head, validate_args=False).entropy().mean().item()

    sign = 1 if kind == "entropy" else -1
    rows = []
    for layer, weights in enumerate(attentions):
        for head in range(weights.size(1)):
            mean = sum(score(weights[b, head]) for b in range(weights.size(0))) / weights.size(0)
            rows.append((sign * mean, layer, head))
    rows.sort()
    return rows[0][1:]
