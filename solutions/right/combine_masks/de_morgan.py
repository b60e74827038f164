def combine_masks(causal, padding):
    # A key is seen if it is neither later nor padding.
    return ~(~causal & ~padding)
