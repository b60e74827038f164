import torch


def bpe_encode(text, merges):
    tokens = list(bytes(text, "utf-8"))
    rank = {}
    for position, (a, b) in enumerate(merges):
        rank[(a, b)] = position
    while True:
        candidates = [(rank[p], i) for i, p in enumerate(zip(tokens, tokens[1:])) if p in rank]
        if not candidates:
            return torch.tensor(tokens, dtype=torch.long)
        number, i = min(candidates)
        tokens[i : i + 2] = [256 + number]
