# %% [markdown] lang="en"
# ## Scaled dot-product attention
#
# Every query is compared with every key. The comparisons become weights, and the answer to a query is
# the mean of the values under these weights.

# %% [markdown] lang="fr"
# ## L'attention par produit scalaire
#
# Chaque requête est comparée à chaque clé. Les comparaisons deviennent des poids, et la réponse à une
# requête est la moyenne des valeurs sous ces poids.

# %%
def scaled_dot_product_attention(Q, K, V, mask=None):
    """Attend with queries Q over keys K and values V.

    Args:
        Q: queries, shape (..., Sq, D), with any number of leading axes.
        K: keys, shape (..., Sk, D).
        V: values, shape (..., Sk, Dv).
        mask: None, or a bool tensor that broadcasts to (..., Sq, Sk); True = masked, that is, the query
            must not see the key.

    Returns:
        (output, weights): shapes (..., Sq, Dv) and (..., Sq, Sk). The scores Q K^T are scaled by
        1 / sqrt(D); the weights of each query sum to one.

    fr: Calcule l'attention des requêtes Q sur les clés K et les valeurs V.

    Args:
        Q: les requêtes, de forme (..., Sq, D), avec un nombre quelconque de premiers axes.
        K: les clés, de forme (..., Sk, D).
        V: les valeurs, de forme (..., Sk, Dv).
        mask: None, ou un tenseur bool qui s'étend à (..., Sq, Sk) ; True = masqué, c'est-à-dire que la
            requête ne doit pas voir la clé.

    Returns:
        (sortie, poids) : de formes (..., Sq, Dv) et (..., Sq, Sk). Les scores Q K^T sont multipliés par
        1 / sqrt(D) ; la somme des poids de chaque requête vaut un.
    """
    raise NotImplementedError
