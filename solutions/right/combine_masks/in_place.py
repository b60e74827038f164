def combine_masks(causal, padding):
    B, S = padding.shape[0], causal.shape[0]
    mask = padding.expand(B, 1, S, S).clone()
    mask |= causal
    return mask
