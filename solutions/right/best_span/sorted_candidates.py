def best_span(start_logits, end_logits, max_len):
    starts = [x.item() for x in start_logits]
    ends = [x.item() for x in end_logits]
    candidates = []
    for length in range(1, max_len + 1):
        for first in range(len(starts) - length + 1):
            last = first + length - 1
            candidates.append((-(starts[first] + ends[last]), first, last))
    candidates.sort()
    _, first, last = candidates[0]
    return first, last
