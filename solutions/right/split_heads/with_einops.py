from einops import rearrange


def split_heads(x, num_heads):
    return rearrange(x, "b s (h d) -> b h s d", h=num_heads)
