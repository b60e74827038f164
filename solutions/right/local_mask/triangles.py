import torch


def local_mask(seq_len, window):
    ones = torch.ones(seq_len, seq_len)
    return ~torch.tril(torch.triu(ones, -window), window).bool()
