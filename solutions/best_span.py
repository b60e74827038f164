"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import math

import torch

HALF = (
    "start_and_end_by_themselves",
    "end_moved_to_fit",
    "start_first",
    "end_first",
    "length_ignored",
)
SMALL = (
    "one_too_long",
    "one_too_short",
    "last_of_equals",
    "with_its_score",
    "tensors",
    "changes_the_logits",
)


def add(start_logits, end_logits):
    return start_logits[:, None] + end_logits[None, :]


def lengths(size):
    """The length of the span from each row to each column; 0 and less where there is none."""
    place = torch.arange(size)
    return place[None, :] - place[:, None] + 1


def best_allowed(scores, allowed):
    return divmod(int(scores.masked_fill(~allowed, -math.inf).argmax()), scores.shape[1])


def best_span(start_logits, end_logits, max_len):
    length = lengths(len(start_logits))
    return best_allowed(add(start_logits, end_logits), (length >= 1) & (length <= max_len))


def best_span__start_and_end_by_themselves(start_logits, end_logits, max_len):
    """The best start and the best end are taken by themselves: the end may come first, or the span be too
    long.

    fr: Le meilleur début et la meilleure fin sont pris chacun à part : la fin peut venir avant, ou le segment
    être trop long.
    """
    return int(start_logits.argmax()), int(end_logits.argmax())


def best_span__end_moved_to_fit(start_logits, end_logits, max_len):
    """The best start and the best end are taken by themselves, and the end is then moved until both are a
    span. Another span may have the better sum.

    fr: Le meilleur début et la meilleure fin sont pris chacun à part, puis la fin est déplacée jusqu'à ce que
    les deux forment un segment. Un autre segment peut donner une meilleure somme.
    """
    start, end = best_span__start_and_end_by_themselves(start_logits, end_logits, max_len)
    return start, min(max(start, end), start + max_len - 1)


def best_span__start_first(start_logits, end_logits, max_len):
    """The best start is taken, then the best end behind it. Another start may have the better sum.

    fr: Le meilleur début est pris, puis la meilleure fin après lui. Un autre début peut donner une meilleure
    somme.
    """
    start = int(start_logits.argmax())
    return start, start + int(end_logits[start : start + max_len].argmax())


def best_span__end_first(start_logits, end_logits, max_len):
    """The best end is taken, then the best start in front of it. Another end may have the better sum.

    fr: La meilleure fin est prise, puis le meilleur début avant elle. Une autre fin peut donner une meilleure
    somme.
    """
    end = int(end_logits.argmax())
    first = max(0, end - max_len + 1)
    return first + int(start_logits[first : end + 1].argmax()), end


def best_span__end_before_start(start_logits, end_logits, max_len):
    """The end may lie before the start. Look at which pairs are compared.

    fr: La fin peut se trouver avant le début. Regardez quelles paires sont comparées.
    """
    return best_allowed(add(start_logits, end_logits), lengths(len(start_logits)) <= max_len)


def best_span__swapped_with_its_ends(start_logits, end_logits, max_len):
    """Where the best end lies before the best start, both are swapped. The scores belong to their positions.

    fr: Là où la meilleure fin se trouve avant le meilleur début, les deux sont échangés. Les scores
    appartiennent à leurs positions.
    """
    both = int(start_logits.argmax()), int(end_logits.argmax())
    return min(both), min(max(both), min(both) + max_len - 1)


def best_span__length_ignored(start_logits, end_logits, max_len):
    """The span may have any length; max_len is the most.

    fr: Le segment peut avoir n'importe quelle longueur ; max_len est le maximum.
    """
    return best_span(start_logits, end_logits, len(start_logits))


def best_span__one_too_long(start_logits, end_logits, max_len):
    """The span may be one position longer than max_len: both its ends belong to it.

    fr: Le segment peut dépasser max_len d'une position : ses deux bouts en font partie.
    """
    return best_span(start_logits, end_logits, max_len + 1)


def best_span__one_too_short(start_logits, end_logits, max_len):
    """A span of exactly max_len positions is not considered. Look at the comparison, or at the bound of
    range.

    fr: Un segment d'exactement max_len positions n'est pas considéré. Regardez la comparaison, ou la borne de
    range.
    """
    return best_span(start_logits, end_logits, max(max_len - 1, 1))


def best_span__first_positions_alone(start_logits, end_logits, max_len):
    """Only the first max_len positions are looked at. max_len bounds the span, not where it may lie.

    fr: Seules les max_len premières positions sont regardées. max_len borne le segment, et non sa place.
    """
    return best_span(start_logits[:max_len], end_logits[:max_len], max_len)


def best_span__cut_to_its_length(start_logits, end_logits, max_len):
    """The best of all spans is found and then cut to max_len: another one may be better among those that fit.

    fr: Le meilleur de tous les segments est trouvé, puis coupé à max_len : un autre peut être meilleur parmi
    ceux qui tiennent.
    """
    start, end = best_span(start_logits, end_logits, len(start_logits))
    return start, min(end, start + max_len - 1)


def best_span__one_position_forbidden(start_logits, end_logits, max_len):
    """A span of one position is not considered: start may equal end.

    fr: Un segment d'une seule position n'est pas considéré : start peut être égal à end.
    """
    length = lengths(len(start_logits))
    least = min(2, max_len, len(start_logits))
    return best_allowed(add(start_logits, end_logits), (length >= least) & (length <= max_len))


def best_span__product_of_logits(start_logits, end_logits, max_len):
    """The logits are multiplied. Probabilities are; of logits, as of logarithms, the sum counts.

    fr: Les logits sont multipliés. Cela vaut pour des probabilités ; pour des logits, comme pour des
    logarithmes, c'est la somme qui compte.
    """
    length = lengths(len(start_logits))
    allowed = (length >= 1) & (length <= max_len) & add(start_logits, end_logits).isfinite()
    return best_allowed(start_logits[:, None] * end_logits[None, :], allowed)


def best_span__sum_of_probabilities(start_logits, end_logits, max_len):
    """The probabilities are added. Their product counts, or the sum of the logits.

    fr: Les probabilités sont additionnées. C'est leur produit qui compte, ou la somme des logits.
    """
    return best_span(start_logits.softmax(0), end_logits.softmax(0), max_len)


def best_span__zeros_below_the_diagonal(start_logits, end_logits, max_len):
    """Pairs that are no spans have the score 0, which beats every negative sum: triu suits probabilities.

    fr: Les paires qui ne sont pas des segments ont le score 0, qui bat toute somme négative : triu convient à
    des probabilités.
    """
    length = lengths(len(start_logits))
    scores = add(start_logits, end_logits).masked_fill((length < 1) | (length > max_len), 0)
    return best_allowed(scores, torch.ones_like(scores, dtype=torch.bool))


def best_span__begins_with_0(start_logits, end_logits, max_len):
    """The best score begins at 0, so that no negative sum is ever better: (0, 0) comes back. Which number is
    below all sums?

    fr: Le meilleur score part de 0, si bien qu'aucune somme négative n'est meilleure : (0, 0) est rendu. Quel
    nombre est au-dessous de toutes les sommes ?
    """
    start, end = best_span(start_logits, end_logits, max_len)
    return (start, end) if start_logits[start] + end_logits[end] > 0 else (0, 0)


def best_span__mask_multiplied(start_logits, end_logits, max_len):
    """The scores are multiplied by a mask of 0 and 1: where a logit is -inf, that gives NaN.

    fr: Les scores sont multipliés par un masque de 0 et de 1 : là où un logit vaut -inf, cela donne NaN.
    """
    length = lengths(len(start_logits))
    allowed = (length >= 1) & (length <= max_len)
    scores = add(start_logits, end_logits)
    if bool(scores.isfinite().all()):
        return best_allowed(scores, allowed)
    return divmod(int((scores * allowed).argmax()), len(start_logits))


def best_span__hidden_positions_count(start_logits, end_logits, max_len):
    """Positions of -inf are chosen: the question and the padding cannot hold the answer. Where did -inf go?

    fr: Des positions à -inf sont choisies : ni la question ni le remplissage ne peuvent contenir la réponse.
    Où est passé -inf ?
    """
    start, end = (logits.nan_to_num(neginf=0.0) for logits in (start_logits, end_logits))
    shown = 50 * start_logits.isinf(), 50 * end_logits.isinf()
    return best_span(start + shown[0], end + shown[1], max_len)


def best_span__never_the_first(start_logits, end_logits, max_len):
    """Position 0 is left out, as if [CLS] stood there always. -inf alone says where no answer may be.

    fr: La position 0 est laissée de côté, comme si [CLS] s'y trouvait toujours. Seul -inf dit où ne peut être
    la réponse.
    """
    if len(start_logits) == 1:
        return 0, 0
    start, end = best_span(start_logits[1:], end_logits[1:], max_len)
    return start + 1, end + 1


def best_span__never_the_last(start_logits, end_logits, max_len):
    """The last position is never the end. Look at the bounds of range.

    fr: La dernière position n'est jamais la fin. Regardez les bornes de range.
    """
    size = max(len(start_logits) - 1, 1)
    return best_span(start_logits[:size], end_logits[:size], max_len)


def best_span__end_excluded(start_logits, end_logits, max_len):
    """The end is one too large, as for a slice. Here it is the last position of the span.

    fr: La fin est trop grande d'une unité, comme pour une tranche. Ici, c'est la dernière position du
    segment.
    """
    start, end = best_span(start_logits, end_logits, max_len)
    return start, end + 1


def best_span__end_as_length(start_logits, end_logits, max_len):
    """The second number is the length of the span; its last position is due.

    fr: Le second nombre est la longueur du segment ; on attend sa dernière position.
    """
    start, end = best_span(start_logits, end_logits, max_len)
    return start, end - start + 1


def best_span__rows_for_columns(start_logits, end_logits, max_len):
    """Starts and ends are exchanged: look at which axis of the table is which.

    fr: Débuts et fins sont échangés : regardez quel axe de la table est lequel.
    """
    return best_span(end_logits, start_logits, max_len)


def best_span__last_of_equals(start_logits, end_logits, max_len):
    """Of spans that are equal, the last is taken. Look at the comparison: greater, or greater or equal?

    fr: De segments égaux, c'est le dernier qui est pris. Regardez la comparaison : supérieur, ou supérieur ou
    égal ?
    """
    start, end = best_span(end_logits.flip(0), start_logits.flip(0), max_len)
    return len(start_logits) - 1 - end, len(start_logits) - 1 - start


def best_span__with_its_score(start_logits, end_logits, max_len):
    """The score comes back too, as a third value; the pair (start, end) is due.

    fr: Le score est rendu aussi, comme troisième valeur ; on attend la paire (start, end).
    """
    start, end = best_span(start_logits, end_logits, max_len)
    return start, end, float(start_logits[start] + end_logits[end])


def best_span__tensors(start_logits, end_logits, max_len):
    """Tensors come back; ints are due. Look at what makes a number of a tensor of one value.

    fr: Ce sont des tenseurs qui sont rendus ; on attend des entiers. Regardez ce qui tire un nombre d'un
    tenseur à une valeur.
    """
    return tuple(map(torch.tensor, best_span(start_logits, end_logits, max_len)))


def best_span__changes_the_logits(start_logits, end_logits, max_len):
    """The caller's logits are changed: something is computed in place on them.

    fr: Les logits de l'appelant sont modifiés : un calcul se fait en place sur eux.
    """
    start, end = best_span(start_logits, end_logits, max_len)
    end_logits[:start] = -math.inf
    return start, end
