import itertools

import torch


def corrupt_spans(ids, spans, sentinel):
    bounds = [0] + [place for span in spans for place in span] + [len(ids)]
    pieces = [ids[a:b] for a, b in itertools.pairwise(bounds)]
    marks = [ids.new_full((1,), sentinel - n) for n in range(len(spans) + 1)]
    inputs = [pieces[0]]
    for mark, text in zip(marks, pieces[2::2]):
        inputs += [mark, text]
    targets = [x for pair in zip(marks, pieces[1::2]) for x in pair] + [marks[-1]]
    return torch.cat(inputs), torch.cat(targets)
