import torch


def corrupt_spans(ids, spans, sentinel):
    inputs, targets = [], []
    previous = 0
    for i, (start, end) in enumerate(spans):
        inputs.extend(ids[previous:start].tolist())
        inputs.append(sentinel - i)
        targets.append(sentinel - i)
        targets.extend(ids[start:end].tolist())
        previous = end
    inputs.extend(ids[previous:].tolist())
    targets.append(sentinel - len(spans))
    return torch.tensor(inputs), torch.tensor(targets)
