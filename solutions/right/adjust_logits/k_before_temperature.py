import torch


def adjust_logits(logits, temperature=1.0, top_k=None, top_p=None):
    out = logits.clone()
    if top_k is not None and top_k < out.shape[1]:
        drop = torch.ones_like(out, dtype=torch.bool)
        drop.scatter_(1, out.topk(top_k).indices, False)
        out[drop] = -torch.inf
    out /= temperature
    if top_p is not None:
        p = out.softmax(dim=1)
        # an id stays if the likelier ones have less than top_p together
        before = ((p[:, None, :] > p[:, :, None]) * p[:, None, :]).sum(-1)
        out[before >= top_p] = -torch.inf
    return out
