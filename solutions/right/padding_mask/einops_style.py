from einops import rearrange


def padding_mask(attention_mask):
    return rearrange(attention_mask < 1, "b s -> b 1 1 s")
