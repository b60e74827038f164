"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import torch


def padding_mask(attention_mask):
    return attention_mask[:, None, None, :] == 0


def padding_mask__inverted(attention_mask):
    """True marks the words; here True means masked. Which value of attention_mask stands for padding?

    fr: True marque les mots ; ici True veut dire masqué. Quelle valeur de attention_mask désigne le padding ?
    """
    return ~padding_mask(attention_mask)


def padding_mask__of_queries(attention_mask):
    """The shape is (B, 1, S, 1): it hides queries, and every key stays visible. Which axis of the scores
    holds the keys?

    fr: La forme est (B, 1, S, 1) : ce sont des requêtes qui sont cachées, et toute clé reste visible. Quel
    axe des scores contient les clés ?
    """
    return padding_mask(attention_mask).transpose(-2, -1)


def padding_mask__axes_behind(attention_mask):
    """The axes of size 1 stand behind: (B, S, 1, 1) puts positions where the heads are. Look at where each
    new axis goes.

    fr: Les axes de taille 1 sont à la fin : (B, S, 1, 1) met les positions à la place des têtes. Regardez où
    va chaque nouvel axe.
    """
    return padding_mask(attention_mask)[:, 0, 0, :, None, None]


def padding_mask__two_axes(attention_mask):
    """The shape is (B, S): nothing stands for the heads and the queries. Look at what the mask is broadcast
    to.

    fr: La forme est (B, S) : rien ne tient la place des têtes et des requêtes. Regardez à quoi le masque doit
    s'étendre.
    """
    return padding_mask(attention_mask)[:, 0, 0]


def padding_mask__three_axes(attention_mask):
    """The shape is (B, 1, S): one axis is missing, so that the sequences land on the axis of the heads. How
    many axes have the scores?

    fr: La forme est (B, 1, S) : il manque un axe, si bien que les séquences tombent sur l'axe des têtes.
    Combien d'axes ont les scores ?
    """
    return padding_mask(attention_mask)[:, 0]


def padding_mask__for_each_query(attention_mask):
    """The shape is (B, S, S): the keys are written out for every query, and there is no axis for the heads.
    How many axes have the scores?

    fr: La forme est (B, S, S) : les clés sont répétées pour chaque requête, et il n'y a pas d'axe pour les
    têtes. Combien d'axes ont les scores ?
    """
    return padding_mask(attention_mask)[:, 0].repeat(1, attention_mask.shape[1], 1)


def padding_mask__words_by_words(attention_mask):
    """The mask is square and hides the padding as queries too: such a row is masked whole. Only keys are to
    be hidden.

    fr: Le masque est carré et cache aussi le padding en tant que requête : une telle ligne est toute masquée.
    Seules des clés sont à cacher.
    """
    mask = padding_mask(attention_mask)
    return mask | mask.transpose(-2, -1)


def padding_mask__for_the_whole_batch(attention_mask):
    """A position is masked in all sequences if one of them has padding there. Each sequence has its own row.

    fr: Une position est masquée dans toutes les séquences si l'une d'elles y a du padding. Chaque séquence a
    sa propre ligne.
    """
    mask = padding_mask(attention_mask)
    return mask.any(0, keepdim=True).expand_as(mask)


def padding_mask__of_the_first_sequence(attention_mask):
    """All sequences get the padding of the first one. Look at what you index.

    fr: Toutes les séquences reçoivent le padding de la première. Regardez ce que vous indexez.
    """
    mask = padding_mask(attention_mask)
    return mask[:1].expand_as(mask)


def padding_mask__by_length(attention_mask):
    """Words are counted, and so many positions are shown from the start: padding in front or between words is
    missed. Look at each position's own value.

    fr: Les mots sont comptés, et autant de positions sont montrées depuis le début : du padding devant ou
    entre les mots échappe. Regardez la valeur de chaque position.
    """
    words = attention_mask.sum(1)[:, None, None, None]
    return torch.arange(attention_mask.shape[1]) >= words


def padding_mask__all_after_the_first_padding(attention_mask):
    """All that follows the first padding is masked, words too. Look at each position's own value.

    fr: Tout ce qui suit le premier padding est masqué, les mots aussi. Regardez la valeur de chaque position.
    """
    return padding_mask(attention_mask).cumsum(-1) > 0


def padding_mask__of_numbers(attention_mask):
    """The mask holds whole numbers 0 and 1, not bool. Look at its dtype.

    fr: Le masque contient des entiers 0 et 1 au lieu de bool. Regardez son dtype.
    """
    return padding_mask(attention_mask).long()


def padding_mask__of_floats(attention_mask):
    """The mask holds 0. and 1., not bool. Look at its dtype.

    fr: Le masque contient 0. et 1. au lieu de bool. Regardez son dtype.
    """
    return padding_mask(attention_mask).float()


def padding_mask__additive(attention_mask):
    """The mask holds large negative numbers to be added to scores, as BERT's does, not bool. Look at what the
    contract says of its dtype.

    fr: Le masque contient de grands nombres négatifs à ajouter aux scores, comme celui de BERT, au lieu de
    bool. Regardez ce que le contrat dit de son dtype.
    """
    mask = padding_mask(attention_mask)
    return torch.zeros(mask.shape).masked_fill(mask.bool(), -1e9)


def padding_mask__of_nothing(attention_mask):
    """Nothing is masked. Look at what you compare attention_mask with.

    fr: Rien n'est masqué. Regardez à quoi vous comparez attention_mask.
    """
    return torch.zeros_like(padding_mask(attention_mask))


def padding_mask__changes_its_argument(attention_mask):
    """The caller's attention_mask is changed. Look for operations in place: -=, methods that end in an
    underscore, an assignment to a part.

    fr: attention_mask de l'appelant est modifié. Cherchez les opérations en place : -=, les méthodes qui
    finissent par un tiret bas, une affectation à une partie.
    """
    mask = padding_mask(attention_mask)
    attention_mask.sub_(1).neg_()
    return mask
