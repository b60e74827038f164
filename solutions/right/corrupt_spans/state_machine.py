import torch


def corrupt_spans(ids, spans, sentinel):
    inputs, targets = [], []
    starts = {start for start, _ in spans}
    hidden = set()
    for start, end in spans:
        hidden.update(range(start, end))
    current = sentinel
    for i, word in enumerate(ids):
        if i in starts:
            inputs.append(torch.tensor(current))
            targets.append(torch.tensor(current))
            current -= 1
        if i in hidden:
            targets.append(word)
        else:
            inputs.append(word)
    targets.append(torch.tensor(current))
    return torch.stack(inputs), torch.stack(targets)
