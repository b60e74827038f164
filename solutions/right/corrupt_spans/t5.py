import torch


def _sentinels(noise, spans, sentinel):
    # Each run of noise becomes one sentinel: spans that touch are told apart by where they start.
    ids = torch.zeros(len(noise), dtype=torch.long)
    start = torch.zeros(len(noise), dtype=torch.bool)
    for s, _ in spans:
        start[s] = True
    ids[start] = sentinel + 1 - start.cumsum(0)[start]
    ids[noise & ~start] = -1
    return ids


def corrupt_spans(ids, spans, sentinel):
    noise = torch.zeros(len(ids), dtype=torch.bool)
    for s, e in spans:
        noise[s:e] = True
    marks = _sentinels(noise, spans, sentinel)
    filled = torch.where(noise, marks, ids)
    inputs = filled[filled >= 0]
    targets = []
    for i in range(len(ids)):
        if marks[i] > 0:
            targets.append(marks[i].item())
        if noise[i]:
            targets.append(ids[i].item())
    return inputs, torch.tensor(targets + [sentinel - len(spans)])
