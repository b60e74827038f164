def combine_masks(causal, padding):
    return causal[None, None, :, :] | padding
