import torch.nn.functional as F


def best_span(start_logits, end_logits, max_len):
    start = F.log_softmax(start_logits, dim=0).tolist()
    end = F.log_softmax(end_logits, dim=0).tolist()
    spans = [(i, j) for i in range(len(start)) for j in range(i, len(end)) if j - i + 1 <= max_len]
    return max(spans, key=lambda span: start[span[0]] + end[span[1]])
