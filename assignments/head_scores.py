# %% [markdown] lang="en"
# ## What heads look at
#
# Some heads of a trained model look at the word before, some at the first token, some at the word itself;
# some spread their attention over everything. Four numbers per head tell which is which.

# %% [markdown] lang="fr"
# ## Ce que regardent les têtes
#
# Certaines têtes d'un modèle entraîné regardent le mot précédent, d'autres le premier token, d'autres le mot
# lui-même ; d'autres encore répandent leur attention sur tout. Quatre nombres par tête disent lesquelles.

# %%
import torch


def head_scores(weights):
    """Four scores of each head, from its attention weights.

    Args:
        weights: shape (H, S, S) with S of at least 2; weights[h, i, j] is what query i gives to key j,
            and each row sums to 1. Some weights may be exactly 0.

    Returns:
        a dict of four tensors of shape (H,):
        "previous": the mean weight that a query gives to the key just before it, over the S - 1 queries that
            have one;
        "first": the mean weight on key 0, over all S queries;
        "self": the mean weight that a query gives to itself, over all S queries;
        "entropy": the mean over all S queries of -sum_j w ln(w), in nats, where 0 ln(0) counts as 0.

    fr: Quatre scores de chaque tête, d'après ses poids d'attention.

    Args:
        weights: de forme (H, S, S) avec S d'au moins 2 ; weights[h, i, j] est ce que la requête i donne à la
            clé j, et chaque ligne a pour somme 1. Certains poids peuvent valoir exactement 0.

    Returns:
        un dict de quatre tenseurs de forme (H,) :
        "previous" : le poids moyen qu'une requête donne à la clé juste avant elle, sur les S - 1 requêtes qui
            en ont une ;
        "first" : le poids moyen sur la clé 0, sur les S requêtes ;
        "self" : le poids moyen qu'une requête se donne à elle-même, sur les S requêtes ;
        "entropy" : la moyenne sur les S requêtes de -somme_j w ln(w), en nats, où 0 ln(0) compte pour 0.
    """
    raise NotImplementedError
