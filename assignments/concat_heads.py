# %% [markdown]
# ## Joining the heads
#
# After attention, the heads stand side by side again.

# %%
def concat_heads(x):
    """Put heads back side by side: the inverse of split_heads.

    Args:
        x: shape (B, H, S, D).

    Returns:
        shape (B, S, H*D). The columns h*D up to (h+1)*D hold head h.
    """
    raise NotImplementedError
