import torch


def best_span(start_logits, end_logits, max_len):
    p_start = torch.softmax(start_logits.double(), dim=-1)
    p_end = torch.softmax(end_logits.double(), dim=-1)
    joint = torch.outer(p_start, p_end)
    joint = torch.tril(torch.triu(joint), max_len - 1)
    n = joint.shape[-1]
    index = int(joint.flatten().argmax())
    return index // n, index % n
