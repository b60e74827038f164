"""Only the first 64 positions are answered.

loses: splits_extreme_sizes
"""


def split_heads(x, num_heads):
    x = x[:, :64]
    B, S, E = x.shape
    return x.reshape(B, S, num_heads, E // num_heads).transpose(1, 2)
