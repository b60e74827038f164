# %% [markdown]
# ## The causal mask
#
# A model that writes text must not see what comes next.

# %%
def causal_mask(seq_len):
    """Which positions a position must not see.

    Args:
        seq_len: S, the length of the sequence.

    Returns:
        a bool tensor of shape (S, S), True strictly above the diagonal: True = masked.
    """
    raise NotImplementedError
