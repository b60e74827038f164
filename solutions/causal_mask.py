"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import torch


def causal_mask(seq_len):
    position = torch.arange(seq_len)
    return position[None, :] > position[:, None]


def causal_mask__inverted(seq_len):
    """True marks what may be seen; here True means masked. Look at which side of the diagonal is True.

    fr: True marque ce qui est visible ; ici True veut dire masqué. Regardez quel côté de la diagonale vaut
    True.
    """
    return ~causal_mask(seq_len)


def causal_mask__with_diagonal(seq_len):
    """The diagonal is masked too: a position must see itself. Look at the diagonal at which the triangle
    begins.

    fr: La diagonale est masquée aussi : une position doit se voir elle-même. Regardez à quelle diagonale
    commence le triangle.
    """
    return causal_mask(seq_len) | torch.eye(seq_len, dtype=torch.bool)


def causal_mask__one_further(seq_len):
    """Each position sees one position too many, the next one. Look at the diagonal at which the triangle
    begins.

    fr: Chaque position en voit une de trop, la suivante. Regardez à quelle diagonale commence le triangle.
    """
    return causal_mask(seq_len).triu(2)


def causal_mask__transposed(seq_len):
    """The mask hides the past, not the future. Rows are queries: look at which triangle you fill.

    fr: Le masque cache le passé au lieu du futur. Les lignes sont les requêtes : regardez quel triangle vous
    remplissez.
    """
    return causal_mask(seq_len).transpose(-2, -1)


def causal_mask__all_but_itself(seq_len):
    """Each position sees itself alone: the past is masked with the future. Look at what stands below the
    diagonal.

    fr: Chaque position ne voit qu'elle-même : le passé est masqué avec le futur. Regardez ce qui est sous la
    diagonale.
    """
    return causal_mask(seq_len) | causal_mask(seq_len).mT


def causal_mask__of_numbers(seq_len):
    """The mask holds whole numbers 0 and 1, not bool. Look at its dtype.

    fr: Le masque contient des entiers 0 et 1 au lieu de bool. Regardez son dtype.
    """
    return causal_mask(seq_len).int()


def causal_mask__of_floats(seq_len):
    """The mask holds 0. and 1., not bool. Look at the dtype of what torch.ones makes.

    fr: Le masque contient 0. et 1. au lieu de bool. Regardez le dtype de ce que crée torch.ones.
    """
    return causal_mask(seq_len).float()


def causal_mask__additive(seq_len):
    """The mask holds numbers to be added to scores, 0 and minus infinity or far below 0, not bool. Look at
    what the attention does with its mask.

    fr: Le masque contient des nombres à ajouter aux scores, 0 et moins l'infini ou très négatifs, au lieu de
    bool. Regardez ce que l'attention fait de son masque.
    """
    mask = causal_mask(seq_len)
    return torch.zeros(mask.shape).masked_fill(mask.bool(), -torch.inf)


def causal_mask__a_row(seq_len):
    """The mask is one row for all positions. Look at how many rows a mask of S queries has.

    fr: Le masque est une seule ligne pour toutes les positions. Regardez combien de lignes a un masque de S
    requêtes.
    """
    return causal_mask(seq_len)[seq_len // 2]


def causal_mask__fixed_length(seq_len):
    """The mask has one fixed length, whatever is asked for. Look at whether seq_len is used.

    fr: Le masque a une longueur fixe, quoi qu'on demande. Regardez si seq_len est utilisé.
    """
    return causal_mask(8)


_kept = {}


def causal_mask__cached(seq_len):
    """The first call's mask is kept and returned for ever. Look at what your cache compares before it
    answers.

    fr: Le masque du premier appel est gardé et renvoyé pour toujours. Regardez ce que votre cache vérifie
    avant de répondre.
    """
    return _kept.setdefault(causal_mask, causal_mask(seq_len))


def causal_mask__empty(seq_len):
    """Nothing is masked. Look at whether you keep what triu or tril returns.

    fr: Rien n'est masqué. Regardez si vous gardez ce que renvoie triu ou tril.
    """
    return torch.zeros_like(causal_mask(seq_len))
