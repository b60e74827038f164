# %% [markdown] lang="en"
# ## Counting parameters
#
# How large is a block, before one builds it?

# %% [markdown] lang="fr"
# ## Compter les paramètres
#
# Quelle est la taille d'un bloc, avant même de le construire ?

# %%
def count_parameters(embed_dim, num_heads, ff_dim):
    """The number of learned parameters of one TransformerBlock.

    Args:
        embed_dim: E.
        num_heads: H.
        ff_dim: F.

    Returns:
        an int: the attention's four layers, the feed-forward network's two, and the two norms.

    fr: Le nombre de paramètres appris d'un TransformerBlock.

    Args:
        embed_dim: E.
        num_heads: H.
        ff_dim: F.

    Returns:
        un int : les quatre couches de l'attention, les deux du réseau feed-forward et les deux normes.
    """
    raise NotImplementedError
