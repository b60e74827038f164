# %% [markdown] lang="en"
# ## Attention within buckets
#
# Reformer compares a query with the keys of its own bucket alone. Queries and keys are the same vectors, so
# that both fall into the same buckets; keys are then brought to length 1. A vector is most like itself, which
# would hide all others: it is left out where anything else is seen. Several rounds are averaged, and in that
# average a round counts by what it has found.

# %% [markdown] lang="fr"
# ## L'attention au sein des seaux
#
# Reformer ne compare une requête qu'aux clés de son propre seau. Les requêtes et les clés sont les mêmes
# vecteurs, si bien que les unes et les autres tombent dans les mêmes seaux ; les clés sont ensuite ramenées à
# la longueur 1. Un vecteur ressemble surtout à lui-même, ce qui cacherait tous les autres : il est laissé de
# côté dès que quelque chose d'autre est vu. On fait la moyenne de plusieurs tours, où un tour compte selon ce
# qu'il a trouvé.

# %%
def lsh_attention(qk, v, buckets, causal=False):
    """Attention of each position to those of its bucket, in one or several rounds.

    The queries are qk, the keys are qk divided by its length: k_j = qk_j / |qk_j|. The score of a query i and
    a key j is their product q_i . k_j; it is not divided by sqrt(D). In a round, a query sees the keys whose
    bucket is its own, but not itself, and with `causal` only those before it. The weights of a round are the
    softmax of the scores of what is seen in it.

    The rounds are averaged with weights that sum to 1 and are proportional to exp(logsumexp(scores)) of each
    round, as in Reformer: a round counts as much as it has found, and one in which nothing is seen does not
    count. This is one softmax over all that is seen in all rounds, in which a key that is seen in two rounds
    stands twice.

    A query that sees no other key in any round sees itself: its output is its own value.

    Args:
        qk: (..., S, D), queries and keys at once, with any number of leading axes. No vector is zero.
        v: (..., S, Dv), the values.
        buckets: int64 of shape (..., n_rounds, S), the bucket of each position in each round. Numbers are
            compared within a round alone.
        causal: whether a query sees earlier positions only.

    Returns:
        the output, (..., S, Dv).

    fr: L'attention de chaque position à celles de son seau, en un ou plusieurs tours.

    Les requêtes sont qk, les clés sont qk divisé par sa longueur : k_j = qk_j / |qk_j|. Le score d'une
    requête i et d'une clé j est leur produit q_i . k_j ; il n'est pas divisé par sqrt(D). Dans un tour, une
    requête voit les clés qui ont le même seau qu'elle, mais pas elle-même, et avec `causal` seulement celles
    d'avant elle. Les poids d'un tour sont le softmax des scores de ce qui y est vu.

    La moyenne des tours est pondérée par des poids de somme 1, proportionnels à exp(logsumexp(scores)) de
    chaque tour, comme dans Reformer : un tour compte autant que ce qu'il a trouvé, et celui où rien n'est vu
    ne compte pas. C'est un seul softmax sur tout ce qui est vu dans tous les tours, où une clé vue dans deux
    tours figure deux fois.

    Une requête qui ne voit aucune autre clé dans aucun tour se voit elle-même : sa sortie est sa propre
    valeur.

    Args:
        qk: (..., S, D), requêtes et clés à la fois, avec un nombre quelconque de premiers axes. Aucun vecteur
            n'est nul.
        v: (..., S, Dv), les valeurs.
        buckets: int64 de forme (..., n_rounds, S), le seau de chaque position à chaque tour. Les numéros ne
            sont comparés qu'au sein d'un tour.
        causal: si une requête ne voit que les positions précédentes.

    Returns:
        la sortie, (..., S, Dv).
    """
    raise NotImplementedError
