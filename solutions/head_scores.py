"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import math

import torch


def head_scores(weights):
    return {
        "previous": weights.diagonal(-1, -2, -1).mean(-1),
        "first": weights[:, :, 0].mean(-1),
        "self": weights.diagonal(0, -2, -1).mean(-1),
        "entropy": torch.special.entr(weights).sum(-1).mean(-1),
    }


def head_scores__next_for_previous(weights):
    """The score "previous" is what a query gives to the key after it. Rows are queries: on which side of
    the diagonal is the key before?

    fr: "previous" est ce qu'une requête donne à la clé qui la suit. Les lignes sont les requêtes : de quel
    côté de la diagonale est la clé d'avant ?
    """
    return head_scores(weights) | {"previous": weights.diagonal(1, -2, -1).mean(-1)}


def head_scores__previous_over_all(weights):
    """The sum of "previous" is divided by S; how many queries have a key before them?

    fr: La somme de "previous" est divisée par S ; combien de requêtes ont une clé avant elles ?
    """
    return head_scores(weights) | {"previous": weights.diagonal(-1, -2, -1).sum(-1) / weights.shape[-1]}


def head_scores__previous_round_the_end(weights):
    """For the first query, the last key counts as the one before it. Look for roll or for an index of -1.

    fr: Pour la première requête, la dernière clé compte comme celle d'avant. Cherchez roll ou un indice -1.
    """
    return head_scores(weights) | {"previous": weights.roll(1, -1).diagonal(0, -2, -1).mean(-1)}


def head_scores__two_before(weights):
    """The score "previous" looks two keys back, or one key further than due. Look at the offset.

    fr: "previous" regarde deux clés en arrière, une de trop. Regardez le décalage.
    """
    return head_scores(weights) | {"previous": weights.diagonal(-2, -2, -1).sum(-1) / (weights.shape[-1] - 1)}


def head_scores__last_for_first(weights):
    """The score "first" looks at the last key. Which index has the first?

    fr: "first" regarde la dernière clé. Quel est l'indice de la première ?
    """
    return head_scores(weights) | {"first": weights[:, :, -1].mean(-1)}


def head_scores__row_for_first(weights):
    """The score "first" averages the first row: what the first query gives. What the others give to the
    first key is a column.

    fr: "first" moyenne la première ligne : ce que donne la première requête. Ce que les autres donnent à la
    première clé est une colonne.
    """
    return head_scores(weights) | {"first": weights[:, 0].mean(-1)}


def head_scores__first_without_itself(weights):
    """The first query is left out of "first"; the contract asks for all.

    fr: La première requête est laissée de côté dans "first" ; l'énoncé les demande toutes.
    """
    return head_scores(weights) | {"first": weights[:, 1:, 0].mean(-1)}


def head_scores__self_summed(weights):
    """The score "self" is the sum of the diagonal; its mean is due.

    fr: "self" est la somme de la diagonale ; sa moyenne est attendue.
    """
    return head_scores(weights) | {"self": weights.diagonal(0, -2, -1).sum(-1)}


def head_scores__everything_for_self(weights):
    """The score "self" averages all weights, which gives 1 / S for every head. Which of them are the
    query's own?

    fr: "self" moyenne tous les poids, ce qui donne 1 / S pour toute tête. Lesquels sont ceux de la requête
    elle-même ?
    """
    return head_scores(weights) | {"self": weights.mean((-2, -1))}


def head_scores__negative_entropy(weights):
    """The sign of the entropy is missing: it is negative.

    fr: Le signe de l'entropie manque : elle est négative.
    """
    scores = head_scores(weights)
    return scores | {"entropy": -scores["entropy"]}


def head_scores__entropy_in_bits(weights):
    """The logarithm of the entropy has base 2. The contract asks for nats.

    fr: Le logarithme de l'entropie est en base 2. L'énoncé demande des nats.
    """
    scores = head_scores(weights)
    return scores | {"entropy": scores["entropy"] / math.log(2)}


def head_scores__relative_entropy(weights):
    """The entropy is divided by ln(S), so that it is 1 at most.

    fr: L'entropie est divisée par ln(S), si bien qu'elle vaut au plus 1.
    """
    scores = head_scores(weights)
    return scores | {"entropy": scores["entropy"] / math.log(weights.shape[-1])}


def head_scores__nan_at_zero(weights):
    """Where a weight is 0, the entropy becomes NaN: 0 times minus infinity. What should such a weight add?

    fr: Là où un poids vaut 0, l'entropie devient NaN : 0 fois moins l'infini. Que doit ajouter un tel poids ?
    """
    return head_scores(weights) | {"entropy": -(weights * weights.log()).sum(-1).mean(-1)}


def head_scores__entropy_summed(weights):
    """The entropies of the queries are summed; their mean is due.

    fr: Les entropies des requêtes sont sommées ; leur moyenne est attendue.
    """
    return head_scores(weights) | {"entropy": torch.special.entr(weights).sum((-2, -1))}


def head_scores__entropy_over_all_weights(weights):
    """The mean of the entropy goes over keys and queries; over the keys, a sum is due.

    fr: La moyenne de l'entropie porte sur les clés et les requêtes ; sur les clés, c'est une somme.
    """
    return head_scores(weights) | {"entropy": torch.special.entr(weights).mean((-2, -1))}


def head_scores__entropy_of_the_mean(weights):
    """The entropy is that of the mean row. Look at what comes first, the mean over queries or the entropy.

    fr: L'entropie est celle de la ligne moyenne. Regardez ce qui vient d'abord, la moyenne sur les requêtes
    ou l'entropie.
    """
    return head_scores(weights) | {"entropy": torch.special.entr(weights.mean(-2)).sum(-1)}


def head_scores__keys_for_queries(weights):
    """Rows and columns have changed places: weights[h, i, j] is what query i gives to key j.

    fr: Les lignes et les colonnes sont interverties : weights[h, i, j] est ce que la requête i donne à la
    clé j.
    """
    return head_scores(weights.transpose(-2, -1))


def head_scores__highest_key(weights):
    """Only the key with the highest weight counts for a query; the mean weight is due.

    fr: Seule la clé de plus grand poids compte pour une requête ; c'est le poids moyen qui est attendu.
    """
    best = torch.nn.functional.one_hot(weights.argmax(-1), weights.shape[-1]).to(weights.dtype)
    return head_scores(best) | {"entropy": head_scores(weights)["entropy"]}


def head_scores__mean_over_heads(weights):
    """All heads are averaged together; there is a score for each head.

    fr: Toutes les têtes sont moyennées ensemble ; chaque tête a son score.
    """
    return {name: score.mean() for name, score in head_scores(weights).items()}


def head_scores__first_head_only(weights):
    """All heads get the scores of the first. Look for an index 0.

    fr: Toutes les têtes reçoivent les scores de la première. Cherchez un indice 0.
    """
    return head_scores(weights[:1].expand_as(weights))


def head_scores__a_tuple(weights):
    """The scores come back without their names: a dict is due.

    fr: Les scores sont rendus sans leurs noms : un dict est attendu.
    """
    return tuple(head_scores(weights).values())


def head_scores__lists(weights):
    """The scores are lists of Python numbers; tensors are due. Look for tolist or item.

    fr: Les scores sont des listes de nombres de Python ; des tenseurs sont attendus. Cherchez tolist ou item.
    """
    return {name: score.tolist() for name, score in head_scores(weights).items()}


def head_scores__without_entropy(weights):
    """There is no "entropy" in the dict. Which four keys does the contract name?

    fr: Il n'y a pas d'"entropy" dans le dict. Quelles sont les quatre clés que nomme l'énoncé ?
    """
    scores = head_scores(weights)
    del scores["entropy"]
    return scores


def head_scores__changes_the_weights(weights):
    """The caller's weights are changed, in place, to keep the logarithm from 0.

    fr: Les poids de l'appelant sont modifiés, en place, pour éviter le logarithme de 0.
    """
    scores = head_scores(weights)
    weights.clamp_(min=1e-3)
    return scores
