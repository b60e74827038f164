"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import torch


def local_mask(seq_len, window):
    position = torch.arange(seq_len)
    return (position[:, None] - position).abs() > window


def local_mask__inverted(seq_len, window):
    """True marks what may be seen; here True means masked.

    fr: True marque ce qui est visible ; ici True veut dire masqué.
    """
    return ~local_mask(seq_len, window)


def local_mask__narrow_windows(seq_len, window):
    """Windows end at 64 positions. Which number in the code should be an argument?

    fr: Les fenêtres s'arrêtent à 64 positions. Quel nombre du code devrait être un argument ?
    """
    return local_mask(seq_len, min(window, 64))


def local_mask__total_width(seq_len, window):
    """The window is half as wide as it should be: `window` positions are seen on each side, not on both
    together.

    fr: La fenêtre est deux fois trop étroite : `window` positions sont vues de chaque côté, et non des deux
    côtés ensemble.
    """
    return local_mask(seq_len, window // 2)


def local_mask__twice_the_width(seq_len, window):
    """The window is twice as wide as it should be. What does `window` count?

    fr: La fenêtre est deux fois trop large. Que compte `window` ?
    """
    return local_mask(seq_len, 2 * window)


def local_mask__one_less(seq_len, window):
    """The window ends one position too early on each side. What of a distance of exactly `window`?

    fr: La fenêtre s'arrête une position trop tôt de chaque côté. Que faire d'une distance d'exactement
    `window` ?
    """
    return local_mask(seq_len, window - 1)


def local_mask__one_further(seq_len, window):
    """The window ends one position too late on each side. What of a distance of `window` + 1?

    fr: La fenêtre s'arrête une position trop tard de chaque côté. Que faire d'une distance de `window` + 1 ?
    """
    return local_mask(seq_len, window + 1)


def local_mask__one_less_to_the_right(seq_len, window):
    """The window ends one position too early on the right. The end of a slice is left out, and that of range
    too.

    fr: La fenêtre s'arrête une position trop tôt à droite. La fin d'une tranche n'est pas comprise, celle de
    range non plus.
    """
    position = torch.arange(seq_len)
    return local_mask(seq_len, window) | (position - position[:, None] == window)


def local_mask__to_the_left(seq_len, window):
    """Only the left side is seen, as in a decoder: here a position sees what follows it too.

    fr: Seul le côté gauche est vu, comme dans un décodeur : ici, une position voit aussi ce qui la suit.
    """
    return local_mask(seq_len, window) | torch.ones(seq_len, seq_len, dtype=torch.bool).triu(1)


def local_mask__to_the_right(seq_len, window):
    """Only the right side is seen. Rows are queries, and a distance has no sign.

    fr: Seul le côté droit est vu. Les lignes sont les requêtes, et une distance n'a pas de signe.
    """
    return local_mask(seq_len, window) | torch.ones(seq_len, seq_len, dtype=torch.bool).tril(-1)


def local_mask__left_without_end(seq_len, window):
    """The left side is seen as a whole: the window ends on the right alone. Look for an absolute value.

    fr: Le côté gauche est vu en entier : la fenêtre ne s'arrête qu'à droite. Cherchez une valeur absolue.
    """
    return local_mask(seq_len, window).triu()


def local_mask__right_without_end(seq_len, window):
    """The right side is seen as a whole: the window ends on the left alone. Look for an absolute value.

    fr: Le côté droit est vu en entier : la fenêtre ne s'arrête qu'à gauche. Cherchez une valeur absolue.
    """
    return local_mask(seq_len, window).tril()


def local_mask__wraps(seq_len, window):
    """The window goes on at the other end: the first positions see the last ones. Look for roll, % and
    negative indices.

    fr: La fenêtre continue à l'autre bout : les premières positions voient les dernières. Cherchez roll, % et
    les indices négatifs.
    """
    position = torch.arange(seq_len)
    distance = (position[:, None] - position).abs()
    return local_mask(seq_len, window) & (seq_len - distance > window)


def local_mask__in_blocks(seq_len, window):
    """The sequence is cut into blocks, which do not see one another; each position has a window of its own.

    fr: La séquence est coupée en blocs, qui ne se voient pas ; chaque position a sa propre fenêtre.
    """
    block = torch.arange(seq_len) // (2 * window + 1)
    return block[:, None] != block


def local_mask__without_itself(seq_len, window):
    """The diagonal is masked too: a position sees itself.

    fr: La diagonale est masquée aussi : une position se voit elle-même.
    """
    return local_mask(seq_len, window) | torch.eye(seq_len, dtype=torch.bool)


def local_mask__full_windows_only(seq_len, window):
    """Positions near the ends, whose window is cut off, see nothing. There the window is just shorter.

    fr: Les positions proches des bouts, dont la fenêtre est coupée, ne voient rien. La fenêtre y est
    simplement plus courte.
    """
    position = torch.arange(seq_len)
    cut_off = (position < window) | (position >= seq_len - window)
    return local_mask(seq_len, window) | cut_off[:, None]


def local_mask__moved_at_the_ends(seq_len, window):
    """Near the ends the window is moved so that it keeps its width. There it is just shorter.

    fr: Près des bouts, la fenêtre est déplacée pour garder sa largeur. Elle y est simplement plus courte.
    """
    position = torch.arange(seq_len)
    centre = position.clamp(window, max(window, seq_len - 1 - window))
    return (centre[:, None] - position).abs() > window


def local_mask__of_numbers(seq_len, window):
    """The mask holds whole numbers 0 and 1, not bool. Look at its dtype.

    fr: Le masque contient des entiers 0 et 1 au lieu de bool. Regardez son dtype.
    """
    return local_mask(seq_len, window).long()


def local_mask__of_floats(seq_len, window):
    """The mask holds 0. and 1., not bool. Look at the dtype of what torch.ones makes.

    fr: Le masque contient 0. et 1. au lieu de bool. Regardez le dtype de ce que crée torch.ones.
    """
    return local_mask(seq_len, window).float()


def local_mask__additive(seq_len, window):
    """The mask holds minus infinity to be added to scores, not bool. Look at the dtype that is due.

    fr: Le masque contient moins l'infini, à ajouter aux scores, au lieu de bool. Regardez le dtype attendu.
    """
    mask = local_mask(seq_len, window)
    return torch.zeros(mask.shape).masked_fill(mask.bool(), -torch.inf)
