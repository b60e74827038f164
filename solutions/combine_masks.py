"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import torch


def combine_masks(causal, padding):
    return causal | padding


def combine_masks__both(causal, padding):
    """A key is masked only if both masks mask it. With True = masked, which operation means "either"?

    fr: Une clé n'est masquée que si les deux masques la masquent. Avec True = masqué, quelle opération veut
    dire « l'un ou l'autre » ?
    """
    return causal & padding


def combine_masks__one_alone(causal, padding):
    """What both masks mask is visible again: it counts only if exactly one of them masks it.

    fr: Ce que masquent les deux masques redevient visible : ne compte que ce que masque un seul des deux.
    """
    return causal ^ padding


def combine_masks__added(causal, padding):
    """The masks are added as numbers, so that 2 stands where both mask. Look at the dtype that is due.

    fr: Les masques sont additionnés comme des nombres, et 2 apparaît là où les deux masquent. Regardez le
    dtype attendu.
    """
    return causal.long() + padding.long()


def combine_masks__additive(causal, padding):
    """The mask holds minus infinity to be added to scores, not bool. Look at the dtype that is due.

    fr: Le masque contient moins l'infini, à ajouter aux scores, au lieu de bool. Regardez le dtype attendu.
    """
    mask = combine_masks(causal, padding)
    return torch.zeros(mask.shape).masked_fill(mask.bool(), -torch.inf)


def combine_masks__inverted(causal, padding):
    """True marks what may be seen; here True means masked, in both masks and in the result.

    fr: True marque ce qui est visible ; ici True veut dire masqué, dans les deux masques et dans le résultat.
    """
    return ~combine_masks(causal, padding)


def combine_masks__causal_inverted(causal, padding):
    """The causal mask is read the other way round: True is masked there already. Look for a ~ or a 1 - too
    many.

    fr: Le masque causal est lu à l'envers : True y veut déjà dire masqué. Cherchez un ~ ou un 1 - de trop.
    """
    return combine_masks(~causal, padding)


def combine_masks__padding_inverted(causal, padding):
    """The padding mask is read the other way round, as if 1 meant a word: True is masked there already.

    fr: Le masque de padding est lu à l'envers, comme si 1 désignait un mot : True y veut déjà dire masqué.
    """
    return combine_masks(causal, ~padding)


def combine_masks__causal_alone(causal, padding):
    """The padding has no effect. Look at what becomes of the second argument.

    fr: Le padding n'a aucun effet. Regardez ce que devient le second argument.
    """
    return combine_masks(causal, torch.zeros_like(padding))


def combine_masks__padding_alone(causal, padding):
    """The causal mask has no effect. Look at what becomes of the first argument.

    fr: Le masque causal n'a aucun effet. Regardez ce que devient le premier argument.
    """
    return combine_masks(torch.zeros_like(causal), padding)


def combine_masks__hides_queries(causal, padding):
    """The padding hides rows, which are queries; keys are columns. Look at the axis on which the padding
    stands.

    fr: Le padding cache des lignes, qui sont des requêtes ; les clés sont les colonnes. Regardez sur quel axe
    se trouve le padding.
    """
    return combine_masks(causal, padding.transpose(-2, -1))


def combine_masks__causal_transposed(causal, padding):
    """The past is hidden, not the future: the causal mask is transposed.

    fr: C'est le passé qui est caché, et non le futur : le masque causal est transposé.
    """
    return combine_masks(causal.transpose(-2, -1), padding)


def combine_masks__with_diagonal(causal, padding):
    """The diagonal is masked too: words do not see themselves. The masks that are given decide it alone.

    fr: La diagonale est masquée aussi : les mots ne se voient pas eux-mêmes. Seuls les masques donnés en
    décident.
    """
    return combine_masks(causal, padding) | torch.eye(causal.shape[-1], dtype=torch.bool)


def combine_masks__padding_sees_itself(causal, padding):
    """The diagonal is cleared, so that padding sees itself. The masks that are given decide it alone.

    fr: La diagonale est vidée, si bien que le padding se voit lui-même. Seuls les masques donnés en décident.
    """
    return combine_masks(causal, padding) & ~torch.eye(causal.shape[-1], dtype=torch.bool)


def combine_masks__padding_of_the_first(causal, padding):
    """All sequences get the padding of the first one. Look at what you index.

    fr: Toutes les séquences reçoivent le padding de la première. Regardez ce que vous indexez.
    """
    return combine_masks(causal, padding[:1].expand_as(padding))


def combine_masks__padding_of_any(causal, padding):
    """A position is masked in all sequences if one of them has padding there. Each sequence has its own mask.

    fr: Une position est masquée dans toutes les séquences si l'une d'elles y a du padding. Chaque séquence a
    son propre masque.
    """
    return combine_masks(causal, padding.any(0, keepdim=True).expand_as(padding))


def combine_masks__three_axes(causal, padding):
    """The shape is (B, S, S): the axis of the heads is missing. Look for a squeeze or an index too many.

    fr: La forme est (B, S, S) : il manque l'axe des têtes. Cherchez un squeeze ou un indice de trop.
    """
    return combine_masks(causal, padding)[:, 0]
