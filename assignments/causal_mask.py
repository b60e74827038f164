# %% [markdown] lang="en"
# ## The causal mask
#
# A model that writes text must not see what comes next.

# %% [markdown] lang="fr"
# ## Le masque causal
#
# Un modèle qui écrit du texte ne doit pas voir ce qui vient ensuite.

# %%
def causal_mask(seq_len):
    """Which positions a position must not see.

    Args:
        seq_len: S, the length of the sequence.

    Returns:
        a bool tensor of shape (S, S), True strictly above the diagonal: True = masked.

    fr: Les positions qu'une position ne doit pas voir.

    Args:
        seq_len: S, la longueur de la séquence.

    Returns:
        un tenseur bool de forme (S, S), True strictement au-dessus de la diagonale : True = masqué.
    """
    raise NotImplementedError
