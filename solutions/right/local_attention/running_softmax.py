import torch


def local_attention(Q, K, V, window):
    """One offset after the other, with a running maximum, as flash attention does it."""
    B, H, S, D = Q.shape
    largest = Q.new_full((B, H, S, 1), -float("inf"))
    total = Q.new_zeros(B, H, S, 1)
    mean = torch.zeros_like(Q)
    for offset in sorted(range(-window, window + 1), key=abs):  # itself first: no row begins without a key
        if abs(offset) >= S:
            continue
        here = slice(max(0, -offset), min(S, S - offset))
        there = slice(max(0, offset), min(S, S + offset))
        score = (Q[:, :, here] * K[:, :, there]).sum(-1, keepdim=True) / D**0.5
        before = largest[:, :, here]
        after = torch.maximum(before, score)
        shrink, weight = (before - after).exp(), (score - after).exp()
        new_total = total[:, :, here] * shrink + weight
        new_mean = mean[:, :, here] * shrink + weight * V[:, :, there]
        largest = torch.cat([largest[:, :, : here.start], after, largest[:, :, here.stop :]], 2)
        total = torch.cat([total[:, :, : here.start], new_total, total[:, :, here.stop :]], 2)
        mean = torch.cat([mean[:, :, : here.start], new_mean, mean[:, :, here.stop :]], 2)
    return mean / total
