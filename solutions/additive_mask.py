"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import math

import torch


def to_additive(mask, sense="hides"):
    return mask if sense == "adds" else filled(hidden(mask, sense), -math.inf)


def hidden(mask, sense):
    return mask.bool() if sense == "hides" else ~mask.bool()


def filled(hides, value):
    return torch.zeros(hides.shape).masked_fill(hides, value)


def to_additive__always_hides(mask, sense="hides"):
    """True hides a key, whatever sense says. Where does sense act?

    fr: True cache une clé, quoi que dise sense. Où sense agit-il ?
    """
    return to_additive(mask, "adds" if sense == "adds" else "hides")


def to_additive__always_shows(mask, sense="hides"):
    """True shows a key, whatever sense says. Where does sense act?

    fr: True montre une clé, quoi que dise sense. Où sense agit-il ?
    """
    return to_additive(mask, "adds" if sense == "adds" else "shows")


def to_additive__senses_swapped(mask, sense="hides"):
    """The sense "hides" is read as "shows", and the other way round.

    fr: "hides" est lu comme "shows", et inversement.
    """
    return to_additive(mask, {"hides": "shows", "shows": "hides"}.get(sense, sense))


def to_additive__shows_by_default(mask, sense="shows"):
    """Without a sense, True shows a key; the default is "hides".

    fr: Sans sens, True montre une clé ; par défaut, c'est "hides".
    """
    return to_additive(mask, sense)


def to_additive__not_low_enough(mask, sense="hides"):
    """What hides a key is not low enough, as -10000 was in the first BERT: scores can be larger. Minus
    infinity is due, or -1e9 at most.

    fr: Ce qui cache une clé n'est pas assez bas, comme le -10000 du premier BERT : des scores peuvent être
    plus grands. On attend moins l'infini, ou -1e9 au plus.
    """
    return mask if sense == "adds" else filled(hidden(mask, sense), -1e4)


def to_additive__nan(mask, sense="hides"):
    """The mask is multiplied by minus infinity: where it is 0, that is NaN. Fill in, do not multiply.

    fr: Le masque est multiplié par moins l'infini : là où il vaut 0, cela donne NaN. Remplissez, ne
    multipliez pas.
    """
    return mask if sense == "adds" else hidden(mask, sense).float() * -math.inf


def to_additive__too_weak(mask, sense="hides"):
    """What hides is a small number: the softmax leaves some weight to the key. How small must a score be?

    fr: Ce qui cache est un petit nombre : le softmax laisse du poids à la clé. À quel point un score doit-il
    être petit ?
    """
    return mask if sense == "adds" else filled(hidden(mask, sense), -100.0)


def to_additive__positive(mask, sense="hides"):
    """What hides is plus infinity: it gives a key all the weight. Look at the sign.

    fr: Ce qui cache est plus l'infini : cela donne à une clé tout le poids. Regardez le signe.
    """
    return mask if sense == "adds" else filled(hidden(mask, sense), math.inf)


def to_additive__to_be_multiplied(mask, sense="hides"):
    """The answer is 1 where a key is seen and 0 where it is hidden: that is to be multiplied, not added.

    fr: La réponse vaut 1 là où une clé est vue et 0 là où elle est cachée : cela se multiplie, et ne s'ajoute
    pas.
    """
    return mask if sense == "adds" else (~hidden(mask, sense)).float()


def to_additive__stays_bool(mask, sense="hides"):
    """The answer is a mask of bools; numbers are due.

    fr: La réponse est un masque de bools ; des nombres sont attendus.
    """
    return mask if sense == "adds" else hidden(mask, sense)


def to_additive__adds_made_bool(mask, sense="hides"):
    """A mask that is added already is read as bools: it stays as it is.

    fr: Un masque qui s'ajoute déjà est lu comme des bools : il reste tel quel.
    """
    return to_additive(mask, "hides" if sense == "adds" else sense)


def to_additive__adds_turned(mask, sense="hides"):
    """A mask that is added already gets the opposite sign, or is filled once more: it stays as it is.

    fr: Un masque qui s'ajoute déjà reçoit le signe opposé, ou est rempli encore une fois : il reste tel quel.
    """
    return -mask if sense == "adds" else to_additive(mask, sense)


def to_additive__bools_alone(mask, sense="hides"):
    """A mask of 1 and 0 is not taken. How does an integer become a bool?

    fr: Un masque de 1 et de 0 n'est pas accepté. Comment un entier devient-il un bool ?
    """
    if sense != "adds" and mask.dtype is not torch.bool:
        raise RuntimeError("masked_fill only supports boolean masks")
    return to_additive(mask, sense)


def to_additive__first_row(mask, sense="hides"):
    """All rows are as the first one. Does the answer have the mask's shape by itself?

    fr: Toutes les lignes sont comme la première. La réponse a-t-elle d'elle-même la forme du masque ?
    """
    answer = to_additive(mask, sense)
    return answer if sense == "adds" else answer[..., :1, :].expand_as(answer)


def to_additive__changes_the_mask(mask, sense="hides"):
    """The caller's mask is inverted in place. Look for methods that end in an underscore.

    fr: Le masque de l'appelant est inversé sur place. Cherchez les méthodes qui finissent par un tiret bas.
    """
    answer = to_additive(mask, sense).clone()
    if mask.dtype is torch.bool:
        mask.logical_not_()
    return answer
