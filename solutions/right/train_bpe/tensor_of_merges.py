import torch


def train_bpe(text, num_merges):
    ids, merges = list(text.encode("utf-8")), []
    while len(merges) < num_merges and len(ids) > 1:
        counts = {}
        for a, b in zip(ids[:-1], ids[1:]):
            counts[a, b] = counts.get((a, b), 0) + 1
        best = sorted(counts.items(), key=lambda item: -item[1])[0][0]
        merges.append(best)
        out = []
        for token in ids:
            if out and (out[-1], token) == best:
                out[-1] = 255 + len(merges)
            else:
                out.append(token)
        ids = out
    return torch.tensor(merges, dtype=torch.int64).reshape(-1, 2)
