# %% [markdown] lang="en"
# ## Splitting into heads
#
# Each head works on its own slice of the embedding.

# %% [markdown] lang="fr"
# ## Séparer les têtes
#
# Chaque tête travaille sur sa propre tranche de l'embedding.

# %%
def split_heads(x, num_heads):
    """Take the heads of an embedding apart.

    Args:
        x: shape (B, S, E), where E is divisible by num_heads.
        num_heads: H, the number of heads.

    Returns:
        shape (B, H, S, D) with D = E / H. Head h holds the columns h*D up to (h+1)*D of x.

    fr: Sépare les têtes d'un embedding.

    Args:
        x: de forme (B, S, E), où E est divisible par num_heads.
        num_heads: H, le nombre de têtes.

    Returns:
        un tenseur de forme (B, H, S, D) avec D = E / H. La tête h contient les colonnes h*D à (h+1)*D de x
        (la dernière exclue).
    """
    raise NotImplementedError
