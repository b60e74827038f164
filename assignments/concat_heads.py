# %% [markdown] lang="en"
# ## Joining the heads
#
# After attention, the heads stand side by side again.

# %% [markdown] lang="fr"
# ## Réunir les têtes
#
# Après l'attention, les têtes se retrouvent côte à côte.

# %%
def concat_heads(x):
    """Put heads back side by side: the inverse of split_heads.

    Args:
        x: shape (B, H, S, D).

    Returns:
        shape (B, S, H*D). The columns h*D up to (h+1)*D hold head h.

    fr: Remet les têtes côte à côte : l'inverse de split_heads.

    Args:
        x: de forme (B, H, S, D).

    Returns:
        un tenseur de forme (B, S, H*D). Les colonnes h*D à (h+1)*D (la dernière exclue) contiennent la
        tête h.
    """
    raise NotImplementedError
