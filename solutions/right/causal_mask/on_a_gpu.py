import torch


def causal_mask(seq_len):
    allowed = torch.tril(torch.ones((seq_len, seq_len), device="cuda")).bool()
    return ~allowed.to("cuda")
