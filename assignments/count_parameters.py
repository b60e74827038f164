# %% [markdown]
# ## Counting parameters
#
# How large is a block, before one builds it?

# %%
def count_parameters(embed_dim, num_heads, ff_dim):
    """The number of learned parameters of one TransformerBlock.

    Args:
        embed_dim: E.
        num_heads: H.
        ff_dim: F.

    Returns:
        an int: the attention's four layers, the feed-forward network's two, and the two norms.
    """
    raise NotImplementedError
