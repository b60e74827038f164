# %% [markdown] lang="en"
# ## What full attention costs
#
# The matrix of the scores is square. Twice the text takes four times the work, and four times the memory.

# %% [markdown] lang="fr"
# ## Ce que coûte l'attention complète
#
# La matrice des scores est carrée. Deux fois plus de texte demande quatre fois plus de calcul, et quatre fois
# plus de mémoire.

# %%
def attention_cost(seq_len, embed_dim, num_heads):
    """What full attention over one sequence costs: two products of matrices, and its scores in memory.

    Two products are counted, for all heads together: Q K^T, and the weights times V. A multiplication counts
    as one operation and an addition as another, so that an (n, k) matrix times a (k, m) one takes 2 * n * k *
    m. Nothing else counts: no projection, no scale, no softmax. There is one sequence, and no mask.

    Args:
        seq_len: S, the number of positions, of queries as of keys.
        embed_dim: E, the width of all heads together.
        num_heads: H; each head has the width D = E / H, for queries, keys and values.

    Returns:
        (flops, bytes), two ints: the operations of both products, and the memory of the scores of all heads,
        (H, S, S), in float32, which takes 4 bytes a number. The weights are not counted beside them.

    fr: Ce que coûte l'attention complète sur une séquence : deux produits de matrices, et ses scores en
    mémoire.

    Deux produits sont comptés, pour toutes les têtes ensemble : Q K^T, et les poids fois V. Une
    multiplication compte pour une opération et une addition pour une autre, si bien qu'une matrice (n, k)
    fois une (k, m) en demande 2 * n * k * m. Rien d'autre ne compte : ni projection, ni échelle, ni softmax.
    Il y a une séquence, et pas de masque.

    Args:
        seq_len: S, le nombre de positions, de requêtes comme de clés.
        embed_dim: E, la largeur de toutes les têtes ensemble.
        num_heads: H ; chaque tête a la largeur D = E / H, pour les requêtes, les clés et les valeurs.

    Returns:
        (flops, octets), deux int : les opérations des deux produits, et la mémoire des scores de toutes les
        têtes, (H, S, S), en float32, à raison de 4 octets par nombre. Les poids ne sont pas comptés en plus.
    """
    raise NotImplementedError
