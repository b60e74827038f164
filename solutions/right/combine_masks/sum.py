def combine_masks(causal, padding):
    return (causal.int() + padding.int()) > 0
