"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint.

A mistake gives the reference another part, and what it is given itself goes before.
"""

import torch

# How grave some mistakes are: what the audit asks them to cost (graders/course/gravity.py).
HALF = ("sorted",)
SMALL = (
    "changes_the_logits",
    "finite_fill",
    "k_beyond_the_vocabulary",
)


def divided(logits, temperature):
    return logits / temperature


def kth_largest(scores, top_k):
    """Where a logit is among the k largest of its row."""
    count = min(top_k, scores.shape[-1])
    return scores >= scores.topk(count).values[:, -1:]


def reaching(scores, top_p):
    """Where an id is needed for its row to reach the probability."""
    shares, order = scores.softmax(-1).sort(-1, descending=True)
    before = shares.cumsum(-1) - shares
    return in_place(before < top_p, order)


def in_place(needed, order):
    """What is said of sorted ids, at their places before the sort."""
    return torch.zeros_like(needed).scatter(-1, order, needed)


def dropped(scores, kept):
    return scores.masked_fill(~kept, -torch.inf)


def adjust_logits(
    logits,
    temperature=1.0,
    top_k=None,
    top_p=None,
    scale=divided,
    largest=kth_largest,
    nucleus=reaching,
    drop=dropped,
):
    scores = scale(logits, temperature)
    if top_k is not None:
        scores = drop(scores, largest(scores, top_k))
    if top_p is not None and top_p < 1:
        scores = drop(scores, nucleus(scores, top_p))
    return scores


def adjust_logits__temperature_multiplied(logits, temperature=1.0, top_k=None, top_p=None, **parts):
    """The logits are multiplied by the temperature. A low one should make likely ids likelier.

    fr: Les logits sont multipliés par la température. Une température basse devrait rendre plus probables les
    identifiants qui le sont déjà.
    """
    parts = {"scale": lambda logits, heat: logits * heat, **parts}
    return adjust_logits(logits, temperature, top_k, top_p, **parts)


def adjust_logits__temperature_ignored(logits, temperature=1.0, top_k=None, top_p=None, **parts):
    """The temperature has no effect. Look at where it is used.

    fr: La température est sans effet. Regardez où elle sert.
    """
    return adjust_logits(logits, 1.0, top_k, top_p, **parts)


def adjust_logits__top_k_ignored(logits, temperature=1.0, top_k=None, top_p=None, **parts):
    """top_k has no effect: all ids stay. Look at where it is used.

    fr: top_k est sans effet : tous les identifiants restent. Regardez où il sert.
    """
    return adjust_logits(logits, temperature, None, top_p, **parts)


def adjust_logits__top_p_ignored(logits, temperature=1.0, top_k=None, top_p=None, **parts):
    """top_p has no effect: all ids stay. Look at where it is used.

    fr: top_p est sans effet : tous les identifiants restent. Regardez où il sert.
    """
    return adjust_logits(logits, temperature, top_k, None, **parts)


def adjust_logits__temperature_last(logits, temperature=1.0, top_k=None, top_p=None, **parts):
    """The temperature comes after top-p, whose probabilities are then those without it. Which is first?

    fr: La température vient après top-p, dont les probabilités sont alors celles d'avant elle. Que faut-il
    faire d'abord ?
    """
    return adjust_logits(logits, 1.0, top_k, top_p, **parts) / temperature


def adjust_logits__temperature_of_probabilities(logits, temperature=1.0, top_k=None, top_p=None, **parts):
    """The probabilities are divided by the temperature, not the logits: the softmax of that is another one.

    fr: Ce sont les probabilités qui sont divisées par la température, et non les logits : leur softmax en est
    un autre.
    """
    parts = {"scale": lambda logits, heat: logits.softmax(-1) / heat, **parts}
    return adjust_logits(logits, temperature, top_k, top_p, **parts)


def adjust_logits__smallest_kept(logits, temperature=1.0, top_k=None, top_p=None, **parts):
    """Top-k keeps the k smallest logits. Look at the order in which they are sorted.

    fr: Top-k garde les k plus petits logits. Regardez dans quel ordre ils sont triés.
    """
    parts = {"largest": lambda scores, k: kth_largest(-scores, k), **parts}
    return adjust_logits(logits, temperature, top_k, top_p, **parts)


def adjust_logits__one_less_than_k(logits, temperature=1.0, top_k=None, top_p=None, **parts):
    """Top-k keeps one id too few: the one that is the limit is dropped too. Look at the comparison with it.

    fr: Top-k garde un identifiant de trop peu : celui qui fait la limite est écarté aussi. Regardez la
    comparaison avec lui.
    """

    def above(scores, top_k):
        count = min(top_k, scores.shape[-1])
        return scores > scores.topk(count).values[:, -1:]

    return adjust_logits(logits, temperature, top_k, top_p, **{"largest": above, **parts})


def adjust_logits__one_more_than_k(logits, temperature=1.0, top_k=None, top_p=None, **parts):
    """Top-k keeps one id too many. Look at the index of the limit.

    fr: Top-k garde un identifiant de trop. Regardez l'indice de la limite.
    """
    parts = {"largest": lambda scores, k: kth_largest(scores, k + 1), **parts}
    return adjust_logits(logits, temperature, top_k, top_p, **parts)


def adjust_logits__limit_of_the_first_row(logits, temperature=1.0, top_k=None, top_p=None, **parts):
    """The k-th logit of the first row is the limit for all rows. Each has its own.

    fr: Le k-ième logit de la première ligne sert de limite à toutes. Chacune a la sienne.
    """

    def above(scores, top_k):
        count = min(top_k, scores.shape[-1])
        return scores >= scores[:1].topk(count).values[:, -1:]

    return adjust_logits(logits, temperature, top_k, top_p, **{"largest": above, **parts})


def adjust_logits__limit_along_the_wrong_axis(logits, temperature=1.0, top_k=None, top_p=None, **parts):
    """The limits of the rows, (B,), are compared along the axis of the ids: that works for one row alone. A
    limit for each row needs an axis of size 1.

    fr: Les limites des lignes, (B,), sont comparées le long de l'axe des identifiants : cela ne marche que
    pour une seule ligne. Une limite par ligne demande un axe de taille 1.
    """

    def above(scores, top_k):
        count = min(top_k, scores.shape[-1])
        return scores >= scores.topk(count).values[:, -1]

    return adjust_logits(logits, temperature, top_k, top_p, **{"largest": above, **parts})


def adjust_logits__k_of_the_whole_batch(logits, temperature=1.0, top_k=None, top_p=None, **parts):
    """The k largest logits of the whole batch are kept, not k of each row. Look at what topk runs over.

    fr: Les k plus grands logits de tout le lot sont gardés, et non k par ligne. Regardez sur quoi porte topk.
    """

    def above(scores, top_k):
        count = min(top_k * len(scores), scores.numel())
        return scores >= scores.flatten().topk(count).values[-1]

    return adjust_logits(logits, temperature, top_k, top_p, **{"largest": above, **parts})


def adjust_logits__crossing_dropped(logits, temperature=1.0, top_k=None, top_p=None, **parts):
    """The id with which p is reached is dropped too: what is left stays below p, and may be nothing. Is the
    sum up to an id compared, or the sum before it?

    fr: L'identifiant avec lequel p est atteint est écarté aussi : ce qui reste n'atteint pas p, et peut être
    vide. Est-ce la somme jusqu'à un identifiant qui est comparée, ou la somme avant lui ?
    """

    def below(scores, top_p):
        shares, order = scores.softmax(-1).sort(-1, descending=True)
        return in_place(shares.cumsum(-1) <= top_p, order)

    return adjust_logits(logits, temperature, top_k, top_p, **{"nucleus": below, **parts})


def adjust_logits__crossing_dropped_but_one_kept(logits, temperature=1.0, top_k=None, top_p=None, **parts):
    """The id with which p is reached is dropped, but the likeliest is always kept. Is the sum up to an id
    compared, or the sum before it?

    fr: L'identifiant avec lequel p est atteint est écarté, mais le plus probable est toujours gardé. Est-ce
    la somme jusqu'à un identifiant qui est comparée, ou la somme avant lui ?
    """

    def below(scores, top_p):
        shares, order = scores.softmax(-1).sort(-1, descending=True)
        needed = shares.cumsum(-1) <= top_p
        needed[:, 0] = True
        return in_place(needed, order)

    return adjust_logits(logits, temperature, top_k, top_p, **{"nucleus": below, **parts})


def adjust_logits__one_more_than_p(logits, temperature=1.0, top_k=None, top_p=None, **parts):
    """Top-p keeps one id more than is needed to reach p. Look at how the mask is shifted.

    fr: Top-p garde un identifiant de plus qu'il n'en faut pour atteindre p. Regardez de combien le masque est
    décalé.
    """

    def longer(scores, top_p):
        shares, order = scores.softmax(-1).sort(-1, descending=True)
        needed = shares.cumsum(-1) - shares < top_p
        needed[:, 1:] = needed[:, :-1].clone()
        return in_place(needed, order)

    return adjust_logits(logits, temperature, top_k, top_p, **{"nucleus": longer, **parts})


def adjust_logits__least_probable_first(logits, temperature=1.0, top_k=None, top_p=None, **parts):
    """The probabilities are summed from the smallest on: the likeliest ids are dropped. Look at the order of
    the sort.

    fr: Les probabilités sont sommées à partir de la plus petite : les identifiants les plus probables sont
    écartés. Regardez l'ordre du tri.
    """

    def ascending(scores, top_p):
        shares, order = scores.softmax(-1).sort(-1)
        return in_place(shares.cumsum(-1) - shares < top_p, order) & (scores > -torch.inf)

    return adjust_logits(logits, temperature, top_k, top_p, **{"nucleus": ascending, **parts})


def adjust_logits__mask_not_put_back(logits, temperature=1.0, top_k=None, top_p=None, **parts):
    """The mask of the sorted ids is applied to the ids as they stand: others are dropped. What brings sorted
    places back?

    fr: Le masque des identifiants triés est appliqué aux identifiants tels qu'ils sont : d'autres sont
    écartés. Qu'est-ce qui ramène des places triées ?
    """

    def sorted_mask(scores, top_p):
        shares = scores.softmax(-1).sort(-1, descending=True).values
        return shares.cumsum(-1) - shares < top_p

    return adjust_logits(logits, temperature, top_k, top_p, **{"nucleus": sorted_mask, **parts})


def adjust_logits__each_against_p(logits, temperature=1.0, top_k=None, top_p=None, **parts):
    """Each probability is compared with a limit by itself; top-p adds them up, from the likeliest on.

    fr: Chaque probabilité est comparée seule à une limite ; top-p les additionne, en partant de la plus
    grande.
    """

    def each(scores, top_p):
        shares = scores.softmax(-1)
        return (shares >= 1 - top_p) | (shares == shares.amax(-1, keepdim=True))

    return adjust_logits(logits, temperature, top_k, top_p, **{"nucleus": each, **parts})


def adjust_logits__sum_of_the_whole_batch(logits, temperature=1.0, top_k=None, top_p=None, **parts):
    """The number of ids that the first row needs to reach p is taken for all rows. Each has its own.

    fr: Le nombre d'identifiants qu'il faut à la première ligne pour atteindre p sert à toutes. Chacune a le
    sien.
    """

    def of_first(scores, top_p):
        shares, order = scores.softmax(-1).sort(-1, descending=True)
        needed = (shares.cumsum(-1) - shares < top_p)[:1].expand_as(shares)
        return in_place(needed, order)

    return adjust_logits(logits, temperature, top_k, top_p, **{"nucleus": of_first, **parts})


def adjust_logits__p_before_k(logits, temperature=1.0, top_k=None, top_p=None, **parts):
    """Top-p looks at the probabilities of all ids, also of those that top-k drops. Which is applied to what
    the other has left?

    fr: Top-p regarde les probabilités de tous les identifiants, même de ceux que top-k écarte. Lequel
    s'applique à ce que l'autre a laissé ?
    """
    scores = adjust_logits(logits, temperature, None, top_p, **parts)
    return scores if top_k is None else adjust_logits(scores, 1.0, top_k, None, **parts)


def adjust_logits__one_filter_alone(logits, temperature=1.0, top_k=None, top_p=None, **parts):
    """Where top_k is given, top_p is not applied. Look for an elif.

    fr: Là où top_k est donné, top_p n'est pas appliqué. Cherchez un elif.
    """
    return adjust_logits(logits, temperature, top_k, None if top_k is not None else top_p, **parts)


def adjust_logits__probabilities(logits, temperature=1.0, top_k=None, top_p=None, **parts):
    """Probabilities come back; logits are due. Leave the softmax to the one who draws.

    fr: Ce sont des probabilités qui sont rendues ; des logits sont attendus. Laissez le softmax à qui tire.
    """
    return adjust_logits(logits, temperature, top_k, top_p, **parts).softmax(-1)


def adjust_logits__log_probabilities(logits, temperature=1.0, top_k=None, top_p=None, **parts):
    """Logarithms of probabilities come back: every row is shifted. The logits are due as they are.

    fr: Ce sont des logarithmes de probabilités qui sont rendus : chaque ligne est décalée. Les logits sont
    attendus tels quels.
    """
    return adjust_logits(logits, temperature, top_k, top_p, **parts).log_softmax(-1)


def adjust_logits__dropped_become_zero(logits, temperature=1.0, top_k=None, top_p=None, **parts):
    """Dropped ids get the logit 0, to which a softmax gives a probability. Which logit gives 0?

    fr: Les identifiants écartés reçoivent le logit 0, auquel un softmax donne une probabilité. Quel logit
    donne 0 ?
    """
    scores = adjust_logits(logits, temperature, top_k, top_p, **parts)
    return scores.masked_fill(scores == -torch.inf, 0.0)


def adjust_logits__finite_fill(logits, temperature=1.0, top_k=None, top_p=None, **parts):
    """Dropped ids get a very small number in place of -inf, which the contract asks for.

    fr: Les identifiants écartés reçoivent un nombre très petit au lieu du -inf que demande le contrat.
    """
    scores = adjust_logits(logits, temperature, top_k, top_p, **parts)
    return scores.masked_fill(scores == -torch.inf, -1e10)


def adjust_logits__sorted(logits, temperature=1.0, top_k=None, top_p=None, **parts):
    """The logits come back sorted, so that they belong to other ids. What brings them back to their places?

    fr: Les logits reviennent triés, si bien qu'ils appartiennent à d'autres identifiants. Qu'est-ce qui les
    ramène à leur place ?
    """
    return adjust_logits(logits, temperature, top_k, top_p, **parts).sort(-1, descending=True).values


def adjust_logits__k_beyond_the_vocabulary(logits, temperature=1.0, top_k=None, top_p=None, **parts):
    """A top_k above the number of ids raises. All of them are kept then.

    fr: Un top_k supérieur au nombre d'identifiants lève une erreur. Tous sont alors gardés.
    """
    parts = {"largest": lambda scores, k: scores >= scores.topk(k).values[:, -1:], **parts}
    return adjust_logits(logits, temperature, top_k, top_p, **parts)


def adjust_logits__changes_the_logits(logits, temperature=1.0, top_k=None, top_p=None, **parts):
    """The caller's logits are changed: something is divided or filled in place.

    fr: Les logits de l'appelant sont modifiés : une division ou un remplissage se fait en place.
    """
    scores = adjust_logits(logits, temperature, top_k, top_p, **parts)
    logits.data.copy_(scores)
    return scores
