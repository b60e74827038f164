"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import torch


def global_mask(local, is_global):
    return local & ~is_global[:, :, None] & ~is_global[:, None, :]


def global_mask__rows_only(local, is_global):
    """Global tokens see all, but others do not see them: rows are queries, and columns are keys.

    fr: Les tokens globaux voient tout, mais les autres ne les voient pas : les lignes sont les requêtes, et
    les colonnes les clés.
    """
    return local & ~is_global[:, :, None]


def global_mask__columns_only(local, is_global):
    """All see the global tokens, but these see their window alone: rows are queries, and columns are keys.

    fr: Tous voient les tokens globaux, mais ceux-ci ne voient que leur fenêtre : les lignes sont les
    requêtes, et les colonnes les clés.
    """
    return local & ~is_global[:, None, :]


def global_mask__both_global(local, is_global):
    """Global tokens see far only other global ones. Is it "and" or "or" that is needed between query and key?

    fr: Les tokens globaux ne voient au loin que d'autres tokens globaux. Faut-il « et » ou « ou » entre la
    requête et la clé ?
    """
    return local & ~(is_global[:, :, None] & is_global[:, None, :])


def global_mask__one_alone(local, is_global):
    """Two global tokens that are far apart do not see each other: "or" is not "either, but not both".

    fr: Deux tokens globaux éloignés ne se voient pas : « ou » n'est pas « l'un des deux seulement ».
    """
    return local & ~(is_global[:, :, None] ^ is_global[:, None, :])


def global_mask__inverted(local, is_global):
    """True marks what may be seen; here True means masked, in the local mask and in the result.

    fr: True marque ce qui est visible ; ici True veut dire masqué, dans le masque local et dans le résultat.
    """
    return ~global_mask(local, is_global)


def global_mask__local_inverted(local, is_global):
    """The local mask is read the other way round, as if True meant seen: True is masked there.

    fr: Le masque local est lu à l'envers, comme si True voulait dire visible : True y veut dire masqué.
    """
    return global_mask(~local, is_global)


def global_mask__others_global(local, is_global):
    """is_global is read the other way round: all tokens but the global ones see everything.

    fr: is_global est lu à l'envers : tous les tokens sauf les globaux voient tout.
    """
    return global_mask(local, ~is_global)


def global_mask__hides_global(local, is_global):
    """Global tokens are masked on top of what is local. Here True means masked: with which operation does a
    mask show more?

    fr: Les tokens globaux sont masqués en plus de ce qui est local. Ici True veut dire masqué : quelle
    opération fait qu'un masque montre davantage ?
    """
    return local | is_global[:, :, None] | is_global[:, None, :]


def global_mask__everything_masked(local, is_global):
    """Everything is masked, whatever is near or global. Which comparison holds for all pairs?

    fr: Tout est masqué, que ce soit proche ou global. Quelle comparaison est vraie de toutes les paires ?
    """
    return torch.ones_like(global_mask(local, is_global))


def global_mask__window_alone(local, is_global):
    """Global tokens have no effect. Look at what becomes of is_global.

    fr: Les tokens globaux n'ont aucun effet. Regardez ce que devient is_global.
    """
    return global_mask(local, torch.zeros_like(is_global))


def global_mask__global_alone(local, is_global):
    """The window has no effect: what is not global is masked everywhere. Look at what becomes of local.

    fr: La fenêtre n'a aucun effet : ce qui n'est pas global est masqué partout. Regardez ce que devient
    local.
    """
    return global_mask(torch.ones_like(local), is_global)


def global_mask__shows_all(local, is_global):
    """One global token shows everything to everybody. Where the query and the key are both ordinary, the
    window counts.

    fr: Un seul token global montre tout à tous. Si la requête et la clé sont toutes deux ordinaires, c'est la
    fenêtre qui compte.
    """
    return global_mask(local, is_global.any(1, keepdim=True).expand_as(is_global))


def global_mask__of_the_first_sequence(local, is_global):
    """All sequences get the global tokens of the first one. Look at what you index.

    fr: Toutes les séquences reçoivent les tokens globaux de la première. Regardez ce que vous indexez.
    """
    return global_mask(local, is_global[:1].expand_as(is_global))


def global_mask__of_any_sequence(local, is_global):
    """A token is global in all sequences if it is in one of them. Each sequence has its own.

    fr: Un token est global dans toutes les séquences s'il l'est dans l'une d'elles. Chaque séquence a les
    siens.
    """
    return global_mask(local, is_global.any(0, keepdim=True).expand_as(is_global))


def global_mask__accumulates(local, is_global):
    """Each sequence keeps the global tokens of those before it: one mask is changed for all. Look for an
    assignment to a part of it.

    fr: Chaque séquence garde les tokens globaux des précédentes : un seul masque est modifié pour toutes.
    Cherchez une affectation à une de ses parties.
    """
    return global_mask(local, is_global.cumsum(0) > 0)


def global_mask__changes_local(local, is_global):
    """The caller's local mask is changed. Look for operations in place: &=, methods that end in an
    underscore, an assignment to a part.

    fr: Le masque local de l'appelant est modifié. Cherchez les opérations en place : &=, les méthodes qui
    finissent par un tiret bas, une affectation à une partie.
    """
    mask = global_mask(local, is_global)
    local.logical_and_(mask.all(0))
    return mask


def global_mask__with_an_axis_for_heads(local, is_global):
    """The shape is (B, 1, S, S): the axis of the heads is not asked for here.

    fr: La forme est (B, 1, S, S) : l'axe des têtes n'est pas demandé ici.
    """
    return global_mask(local, is_global)[:, None]


def global_mask__of_numbers(local, is_global):
    """The mask holds whole numbers, not bool. Look at its dtype.

    fr: Le masque contient des entiers au lieu de bool. Regardez son dtype.
    """
    return global_mask(local, is_global).long()


def global_mask__additive(local, is_global):
    """The mask holds minus infinity to be added to scores, not bool. Look at the dtype that is due.

    fr: Le masque contient moins l'infini, à ajouter aux scores, au lieu de bool. Regardez le dtype attendu.
    """
    mask = global_mask(local, is_global)
    return torch.zeros(mask.shape).masked_fill(mask.bool(), -torch.inf)
