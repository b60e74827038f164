import torch


def padding_mask(attention_mask):
    # As BERT does it, and then back to True = masked.
    extended = attention_mask.unsqueeze(1).unsqueeze(2).to(torch.float32)
    additive = (1.0 - extended) * torch.finfo(torch.float32).min
    return additive < 0
