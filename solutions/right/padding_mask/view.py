import torch


def padding_mask(attention_mask):
    batch_size, seq_len = attention_mask.shape
    return torch.eq(attention_mask, 0).view(batch_size, 1, 1, seq_len)
