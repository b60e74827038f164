import torch


def corrupt_spans(ids, spans, sentinel):
    def cut(text, left, mark, moved):
        if not left:
            return text, [mark]
        start, end = left[0][0] - moved, left[0][1] - moved
        rest, answers = cut(text[end:], left[1:], mark - 1, moved + end)
        return text[:start] + [mark] + rest, [mark] + text[start:end] + answers

    inputs, targets = cut(ids.tolist(), list(spans), sentinel, 0)
    return torch.tensor(inputs, dtype=torch.long), torch.tensor(targets, dtype=torch.long)
