import torch


def bits_per_char(logits, targets, lengths=None, ignore_index=-100):
    keep = targets != ignore_index
    ids = targets[keep]
    bits = -torch.log_softmax(logits[keep], -1)[torch.arange(len(ids)), ids] / torch.log(torch.tensor(2.0, dtype=logits.dtype))
    if lengths is None:
        lengths = torch.ones(logits.shape[-1], dtype=torch.long)
    return bits.sum() / lengths[ids].sum()
