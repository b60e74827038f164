# %% [markdown] lang="en"
# ## Two masks in one
#
# A decoder must see neither what comes later nor the padding of its own sequence.

# %% [markdown] lang="fr"
# ## Deux masques en un
#
# Un décodeur ne doit voir ni ce qui vient après, ni le padding de sa propre séquence.

# %%
def combine_masks(causal, padding):
    """One mask from two: a key is masked if either of them masks it.

    Args:
        causal: bool of shape (S, S), True = masked: row i says which positions position i must not see.
        padding: bool of shape (B, 1, 1, S), True = masked: which keys of each sequence are padding.

    Returns:
        a bool tensor of shape (B, 1, S, S), True = masked.

    fr: Un masque fait de deux : une clé est masquée si l'un des deux la masque.

    Args:
        causal: bool de forme (S, S), True = masqué : la ligne i dit quelles positions la position i ne doit
            pas voir.
        padding: bool de forme (B, 1, 1, S), True = masqué : quelles clés de chaque séquence sont du padding.

    Returns:
        un tenseur bool de forme (B, 1, S, S), True = masqué.
    """
    raise NotImplementedError
