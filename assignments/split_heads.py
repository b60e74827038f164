# %% [markdown]
# ## Splitting into heads
#
# Each head works on its own slice of the embedding.

# %%
def split_heads(x, num_heads):
    """Take the heads of an embedding apart.

    Args:
        x: shape (B, S, E), where E is divisible by num_heads.
        num_heads: H, the number of heads.

    Returns:
        shape (B, H, S, D) with D = E / H. Head h holds the columns h*D up to (h+1)*D of x.
    """
    raise NotImplementedError
