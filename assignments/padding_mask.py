# %% [markdown] lang="en"
# ## The padding mask
#
# Sequences of a batch are filled up to one length. What fills them must not be looked at.

# %% [markdown] lang="fr"
# ## Le masque de padding
#
# Les séquences d'un lot sont complétées jusqu'à une même longueur. Ce qui les complète ne doit pas être
# regardé.

# %%
def padding_mask(attention_mask):
    """Which keys no query may see, in the shape that broadcasts to an attention's scores.

    Args:
        attention_mask: int64 of shape (B, S): 1 = a word, 0 = padding, wherever it stands.

    Returns:
        a bool tensor of shape (B, 1, 1, S), True where there is padding: True = masked. The axes of size 1
        stand for the heads and for the queries.

    fr: Les clés qu'aucune requête ne doit voir, sous la forme qui s'étend aux scores d'une attention.

    Args:
        attention_mask: int64 de forme (B, S) : 1 = un mot, 0 = du padding, où qu'il soit.

    Returns:
        un tenseur bool de forme (B, 1, 1, S), True là où il y a du padding : True = masqué. Les axes de
        taille 1 tiennent la place des têtes et des requêtes.
    """
    raise NotImplementedError
