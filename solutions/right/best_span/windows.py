import torch


def best_span(start_logits, end_logits, max_len):
    n = start_logits.shape[0]
    width = min(max_len, n)
    padded = torch.cat([end_logits, end_logits.new_full((width - 1,), -float("inf"))])
    ends, offsets = padded.unfold(0, width, 1).max(dim=1)
    start = int((start_logits + ends).argmax())
    # Of equal ends the nearest one.
    window = padded[start : start + width]
    offset = int((window == ends[start]).nonzero()[0])
    return start, start + offset
