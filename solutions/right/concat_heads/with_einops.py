from einops import rearrange

concat_heads = lambda x: rearrange(x, "b h s d -> b s (h d)")
