"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import torch

from solutions.head_scores import head_scores


def strongest(attentions, kind):
    return place_of(best_of(table_of(attentions, kind), kind), attentions)


def table_of(attentions, kind, over_sequences=torch.mean):
    """The score of each head of each layer, (L, H)."""
    return torch.stack([over_sequences(scores_of(weights, kind), 0) for weights in attentions])


def scores_of(weights, kind):
    """The score of each head in each sequence, (B, H)."""
    return torch.stack([head_scores(sequence)[kind] for sequence in weights])


def best_of(table, kind):
    """The number of the best head, counted through all layers."""
    return (table.argmin() if kind == "entropy" else table.argmax()).item()


def place_of(number, attentions):
    return divmod(number, attentions[0].shape[1])


def strongest__head_before_layer(attentions, kind):
    """The head comes first and the layer second; the layer should come first.

    fr: La tête vient en premier et la couche en second ; c'est la couche qui devrait être la première.
    """
    return strongest(attentions, kind)[::-1]


def strongest__number_through_all_layers(attentions, kind):
    """One number comes back, counted through the heads of all layers. How many heads has a layer?

    fr: Un seul nombre est rendu, compté à travers les têtes de toutes les couches. Combien de têtes a une
    couche ?
    """
    return best_of(table_of(attentions, kind), kind)


def strongest__divided_by_layers(attentions, kind):
    """The number of the head is divided by how many layers there are. By what should it be?

    fr: Le numéro de la tête est divisé par le nombre de couches. Par quoi devrait-il l'être ?
    """
    return divmod(best_of(table_of(attentions, kind), kind), len(attentions))


def strongest__layer_from_one(attentions, kind):
    """The layer is counted from 1. Is there a + 1, or an enumerate that begins at 1?

    fr: La couche est comptée à partir de 1. Y a-t-il un + 1, ou un enumerate qui commence à 1 ?
    """
    layer, head = strongest(attentions, kind)
    return layer + 1, head


def strongest__both_from_one(attentions, kind):
    """Layer and head are counted from 1. They should begin at 0.

    fr: La couche et la tête sont comptées à partir de 1. Elles devraient commencer à 0.
    """
    layer, head = strongest(attentions, kind)
    return layer + 1, head + 1


def strongest__last_of_equals(attentions, kind):
    """Among equal heads the last counts. Is there a >= where > is due?

    fr: Entre têtes égales, c'est la dernière qui compte. Y a-t-il un >= au lieu d'un > ?
    """
    number = best_of(table_of(attentions, kind).flatten().flip(0), kind)
    return place_of(len(attentions) * attentions[0].shape[1] - 1 - number, attentions)


def strongest__most_spread_for_entropy(attentions, kind):
    """For "entropy", the head with the highest comes back: that is the least sure one.

    fr: Pour "entropy", c'est la tête de plus haute entropie qui est rendue : la moins sûre.
    """
    return place_of(best_of(table_of(attentions, kind), "highest"), attentions)


def strongest__lowest_of_all(attentions, kind):
    """The lowest score counts for every kind; only for "entropy" is that right.

    fr: C'est le plus bas score qui compte, quel que soit kind ; cela n'est juste que pour "entropy".
    """
    return place_of(best_of(table_of(attentions, kind), "entropy"), attentions)


def strongest__always_previous(attentions, kind):
    """The score "previous" counts, whatever kind says.

    fr: C'est le score "previous" qui compte, quoi que dise kind.
    """
    return strongest(attentions, "previous")


def strongest__first_sequence(attentions, kind):
    """Only the first sequence of the batch counts. Look for an index 0 on the axis of the batch.

    fr: Seule la première séquence du lot compte. Cherchez un indice 0 sur l'axe du lot.
    """
    return strongest([weights[:1] for weights in attentions], kind)


def strongest__best_sequence(attentions, kind):
    """A head has the score of its best sequence; its mean over the sequences is due.

    fr: Une tête reçoit le score de sa meilleure séquence ; sa moyenne sur les séquences est attendue.
    """
    over_sequences = torch.amin if kind == "entropy" else torch.amax
    return place_of(best_of(table_of(attentions, kind, over_sequences), kind), attentions)


def strongest__sequences_as_heads(attentions, kind):
    """The heads of each sequence count as heads of their own: the axes of the batch and of the heads have
    become one.

    fr: Les têtes de chaque séquence comptent pour des têtes distinctes : les axes du lot et des têtes n'en
    font plus qu'un.
    """
    return strongest([weights.flatten(0, 1)[None] for weights in attentions], kind)


def strongest__axes_swapped(attentions, kind):
    """The first axis is taken for the heads and the second for the batch. Which of them is which?

    fr: Le premier axe est pris pour celui des têtes, et le second pour celui du lot. Lequel est lequel ?
    """
    return strongest([weights.transpose(0, 1) for weights in attentions], kind)


def strongest__last_layer(attentions, kind):
    """Only the last layer is searched. What has become of the best head of those before?

    fr: Seule la dernière couche est parcourue. Qu'est devenue la meilleure tête des précédentes ?
    """
    return len(attentions) - 1, strongest(attentions[-1:], kind)[1]


def strongest__layer_and_head_apart(attentions, kind):
    """The layer is the one whose mean is best, and the head too, each by itself: together they may name a
    head that is not the best.

    fr: La couche est celle dont la moyenne est la meilleure, et la tête aussi, chacune de son côté :
    ensemble, elles peuvent désigner une tête qui n'est pas la meilleure.
    """
    table = table_of(attentions, kind)
    return best_of(table.mean(1), kind), best_of(table.mean(0), kind)


def strongest__keys_for_queries(attentions, kind):
    """Rows and columns have changed places: row i is what query i gives to each key.

    fr: Les lignes et les colonnes sont interverties : la ligne i est ce que la requête i donne à chaque clé.
    """
    return strongest([weights.transpose(-2, -1) for weights in attentions], kind)


def strongest__a_head_of_each_layer(attentions, kind):
    """There is a head for each layer; the best one of all layers is due.

    fr: Il y a une tête par couche ; c'est la meilleure de toutes les couches qui est attendue.
    """
    return [best_of(row, kind) for row in table_of(attentions, kind)]


def strongest__a_tensor(attentions, kind):
    """The answer is a tensor, or of tensors; two ints are due. Look for item or int.

    fr: La réponse est un tenseur, ou en contient ; deux int sont attendus. Pensez à item ou à int.
    """
    return torch.tensor(strongest(attentions, kind))


def strongest__with_its_score(attentions, kind):
    """The score comes back too: the pair alone is due.

    fr: Le score est rendu aussi : seule la paire est attendue.
    """
    layer, head = strongest(attentions, kind)
    return layer, head, table_of(attentions, kind)[layer, head].item()


def strongest__changes_the_weights(attentions, kind):
    """The caller's weights are changed, in place.

    fr: Les poids de l'appelant sont modifiés, en place.
    """
    place = strongest(attentions, kind)
    for weights in attentions:
        weights.mul_(0.5)
    return place
