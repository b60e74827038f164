import torch


def corrupt_spans(ids, spans, sentinel):
    inputs = ids.tolist()
    targets = [sentinel - len(spans)]
    # From the last to the first: cutting moves nothing that is still to be cut.
    for number in range(len(spans) - 1, -1, -1):
        start, end = spans[number]
        targets = [sentinel - number] + inputs[start:end] + targets
        inputs[start:end] = [sentinel - number]
    return torch.LongTensor(inputs), torch.LongTensor(targets)
