import torch


def padding_mask(attention_mask):
    nothing = torch.zeros_like(attention_mask, dtype=torch.bool)
    return nothing.masked_fill(attention_mask.logical_not(), True).reshape(len(attention_mask), 1, 1, -1)
