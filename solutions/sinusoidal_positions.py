"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import torch


def sinusoidal_positions(seq_len, d_model):
    pairs = torch.arange(0, d_model, 2, dtype=torch.float64)
    angles = torch.arange(seq_len, dtype=torch.float64)[:, None] / 10_000 ** (pairs / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1).float()


def _table(seq_len, d_model, frequencies, first=0):
    """Alternating sines and cosines, of these D / 2 frequencies."""
    angles = torch.arange(first, first + seq_len, dtype=torch.float64)[:, None] * frequencies
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1).float()


def sinusoidal_positions__short_table(seq_len, d_model):
    """The table ends at 512 positions: all further rows are that of the last. Which number in the code should
    be an argument?

    fr: La table s'arrête à 512 positions : toutes les lignes suivantes sont celle de la dernière. Quel nombre
    du code devrait être un argument ?
    """
    return sinusoidal_positions(seq_len, d_model)[torch.arange(seq_len).clamp(max=511)]


def _pairs(d_model):
    return torch.arange(0, d_model, 2, dtype=torch.float64)


def sinusoidal_positions__sines_alone(seq_len, d_model):
    """There are no cosines: odd columns hold sines too. What should stand beside each sine?

    fr: Il n'y a pas de cosinus : les colonnes impaires contiennent aussi des sinus. Que faut-il à côté de
    chaque sinus ?
    """
    return sinusoidal_positions(seq_len, d_model)[:, 0::2].repeat_interleave(2, dim=1)


def sinusoidal_positions__cosines_first(seq_len, d_model):
    """Sines and cosines have changed places: even columns hold the sines.

    fr: Les sinus et les cosinus sont intervertis : les colonnes paires contiennent les sinus.
    """
    return sinusoidal_positions(seq_len, d_model).unflatten(1, (-1, 2)).flip(2).flatten(1)


def sinusoidal_positions__side_by_side(seq_len, d_model):
    """All sines stand first and all cosines after them; they should alternate, column by column.

    fr: Tous les sinus viennent d'abord, puis tous les cosinus ; ils doivent alterner, colonne par colonne.
    """
    table = sinusoidal_positions(seq_len, d_model)
    return torch.cat([table[:, 0::2], table[:, 1::2]], dim=1)


def sinusoidal_positions__exponent_halved(seq_len, d_model):
    """The exponent is i / D where 2i / D is due: the slowest columns are too quick. What does the formula
    divide by?

    fr: L'exposant vaut i / D au lieu de 2i / D : les colonnes les plus lentes sont trop rapides. Par quoi la
    formule divise-t-elle ?
    """
    return _table(seq_len, d_model, 10_000 ** (-_pairs(d_model) / 2 / d_model))


def sinusoidal_positions__exponent_doubled(seq_len, d_model):
    """The factor 2 is there twice: a range in steps of two holds 2i already.

    fr: Le facteur 2 est compté deux fois : un intervalle de pas deux contient déjà 2i.
    """
    return _table(seq_len, d_model, 10_000 ** (-2 * _pairs(d_model) / d_model))


def sinusoidal_positions__exponent_of_the_column(seq_len, d_model):
    """Each column has an angle of its own: the sine and the cosine of a pair share one, with the exponent of
    the even column.

    fr: Chaque colonne a son propre angle : le sinus et le cosinus d'une paire partagent le même, avec
    l'exposant de la colonne paire.
    """
    columns = torch.arange(d_model, dtype=torch.float64)
    angles = torch.arange(seq_len, dtype=torch.float64)[:, None] / 10_000 ** (columns / d_model)
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos()).float()


def sinusoidal_positions__exponent_twice_the_column(seq_len, d_model):
    """The number of the column is used as i in 2i / D; i counts the pairs of columns.

    fr: Le numéro de la colonne tient lieu de i dans 2i / D ; i compte les paires de colonnes.
    """
    columns = torch.arange(d_model, dtype=torch.float64)
    angles = torch.arange(seq_len, dtype=torch.float64)[:, None] / 10_000 ** (2 * columns / d_model)
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos()).float()


def sinusoidal_positions__slowest_too_soon(seq_len, d_model):
    """The last pair already has the wavelength of 10000: the exponents end just before 1, they do not reach
    it.

    fr: La dernière paire atteint déjà la longueur d'onde de 10000 : les exposants s'arrêtent juste avant 1,
    sans l'atteindre.
    """
    last = max(d_model - 2, 1)
    return _table(seq_len, d_model, 10_000 ** (-_pairs(d_model) / last))


def sinusoidal_positions__multiplied(seq_len, d_model):
    """The position is multiplied by 10000^(2i / D), not divided by it. Look at the exponent's sign.

    fr: La position est multipliée par 10000^(2i / D), et non divisée. Regardez le signe de l'exposant.
    """
    return _table(seq_len, d_model, 10_000 ** (_pairs(d_model) / d_model))


def sinusoidal_positions__base_1000(seq_len, d_model):
    """The base is 1000; it should be 10000. Count the zeros.

    fr: La base est 1000 ; il faut 10000. Comptez les zéros.
    """
    return _table(seq_len, d_model, 1_000 ** (-_pairs(d_model) / d_model))


def sinusoidal_positions__without_a_root(seq_len, d_model):
    """Every pair has the same angle: the exponent does not depend on the column. Where does i come in?

    fr: Chaque paire a le même angle : l'exposant ne dépend pas de la colonne. Où i intervient-il ?
    """
    return _table(seq_len, d_model, torch.ones(d_model // 2, dtype=torch.float64))


def sinusoidal_positions__from_one(seq_len, d_model):
    """The first position is 1; positions count from 0.

    fr: La première position est 1 ; les positions se comptent à partir de 0.
    """
    return sinusoidal_positions(seq_len + 1, d_model)[1:]


def sinusoidal_positions__backwards(seq_len, d_model):
    """The positions run backwards: the first row is that of the last position.

    fr: Les positions sont à l'envers : la première ligne est celle de la dernière position.
    """
    return sinusoidal_positions(seq_len, d_model).flip(0)


def sinusoidal_positions__shares_of_the_length(seq_len, d_model):
    """The position is divided by the number of positions, so that a row depends on the length. It counts as
    it is.

    fr: La position est divisée par le nombre de positions, si bien qu'une ligne dépend de la longueur. Elle
    compte telle quelle.
    """
    return _table(seq_len, d_model, 10_000 ** (-_pairs(d_model) / d_model) / seq_len)


def sinusoidal_positions__angles(seq_len, d_model):
    """The angles themselves come back; their sines and cosines are due.

    fr: Ce sont les angles eux-mêmes qui sont rendus ; on attend leurs sinus et leurs cosinus.
    """
    angles = torch.arange(seq_len, dtype=torch.float64)[:, None] / 10_000 ** (_pairs(d_model) / d_model)
    return angles.repeat_interleave(2, dim=1).float()


def sinusoidal_positions__whole_numbers(seq_len, d_model):
    """The table holds whole numbers, which cuts off everything between 0 and 1. Of what dtype is it made?

    fr: La table contient des entiers, ce qui coupe tout ce qui est entre 0 et 1. De quel dtype est-elle ?
    """
    return sinusoidal_positions(seq_len, d_model).long()


def sinusoidal_positions__transposed(seq_len, d_model):
    """Rows and columns are mixed up: positions are rows.

    fr: Les lignes et les colonnes sont confondues : les positions sont les lignes.
    """
    return sinusoidal_positions(seq_len, d_model).T


def sinusoidal_positions__axis_for_a_batch(seq_len, d_model):
    """There is one axis too many, in the middle, as for batches that come second; shape (S, D) is due.

    fr: Il y a un axe de trop, au milieu, comme pour des lots placés en second ; on attend la forme (S, D).
    """
    return sinusoidal_positions(seq_len, d_model)[:, None, :]


def sinusoidal_positions__one_pair_short(seq_len, d_model):
    """The last pair of columns is missing. From where to where do the columns go?

    fr: La dernière paire de colonnes manque. D'où à où vont les colonnes ?
    """
    return sinusoidal_positions(seq_len, d_model)[:, :-2]


def sinusoidal_positions__last_pair_empty(seq_len, d_model):
    """The last pair of columns is left at 0. Where does the loop over the columns end?

    fr: La dernière paire de colonnes est restée à 0. Où s'arrête la boucle sur les colonnes ?
    """
    table = sinusoidal_positions(seq_len, d_model)
    table[:, -2:] = 0
    return table


def sinusoidal_positions__first_row_empty(seq_len, d_model):
    """The first row is left at 0; the cosine of 0 is 1. Where does the loop over the positions begin?

    fr: La première ligne est restée à 0 ; le cosinus de 0 vaut 1. Où commence la boucle sur les positions ?
    """
    table = sinusoidal_positions(seq_len, d_model)
    table[0] = 0
    return table


def sinusoidal_positions__one_position_for_all(seq_len, d_model):
    """Every row is that of the last position: the loop writes over all of them each time.

    fr: Chaque ligne est celle de la dernière position : la boucle les réécrit toutes à chaque fois.
    """
    return sinusoidal_positions(seq_len, d_model)[-1:].repeat(seq_len, 1)


def sinusoidal_positions__learned(seq_len, d_model):
    """The table is drawn at random, as learned positions are; here it follows a formula.

    fr: La table est tirée au hasard, comme le sont des positions apprises ; ici, elle suit une formule.
    """
    return torch.nn.Embedding(seq_len, d_model).weight.detach()
