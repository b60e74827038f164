import torch


def corrupt_spans(ids, spans, sentinel):
    S = len(ids)
    number = torch.full((S,), -1)
    first = torch.zeros(S, dtype=torch.bool)
    for n, (start, end) in enumerate(spans):
        number[start:end] = n
        first[start] = True
    noise = number >= 0
    inputs = torch.where(first, sentinel - number, ids)[~noise | first]
    pieces = []
    for n in range(len(spans)):
        pieces += [torch.tensor([sentinel - n]), ids[number == n]]
    pieces.append(torch.tensor([sentinel - len(spans)]))
    return inputs, torch.cat(pieces)
