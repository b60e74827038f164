"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import torch
from torch import nn


class AxialPositions(nn.Module):
    def __init__(self, l1, l2, d1, d2):
        super().__init__()
        self.l1, self.l2 = l1, l2
        self.E1 = nn.Parameter(torch.randn(l1, d1) * 0.02)
        self.E2 = nn.Parameter(torch.randn(l2, d2) * 0.02)

    def positions(self, seq_len):
        if seq_len > self.l1 * self.l2:
            raise ValueError(f"there are only {self.l1 * self.l2} positions")
        return torch.arange(seq_len)

    def rows(self, j):
        return j % self.l1, j // self.l1

    def join(self, first, second):
        return torch.cat([first, second], dim=-1)

    def forward(self, seq_len):
        first, second = self.rows(self.positions(seq_len))
        return self.join(self.E1[first], self.E2[second])


class AxialPositions__512_positions(AxialPositions):
    """Positions beyond the 512th all get the vector of the 512th. Which number in the code should be l1 * l2?

    fr: Toutes les positions au-delà de la 512e reçoivent le vecteur de la 512e. Quel nombre du code devrait
    être l1 * l2 ?
    """

    def rows(self, j):
        return super().rows(j.clamp(max=511))


class AxialPositions__other_order(AxialPositions):
    """The positions are counted the other way round, with j // l2 for E1 and j % l2 for E2, as in the library
    transformers. The course has j % l1 for E1 and j // l1 for E2.

    fr: Les positions sont comptées dans l'autre sens, avec j // l2 pour E1 et j % l2 pour E2, comme dans la
    bibliothèque transformers. Le cours a j % l1 pour E1 et j // l1 pour E2.
    """

    def rows(self, j):
        return j // self.l2, j % self.l2


class AxialPositions__refuses_all_its_positions(AxialPositions):
    """Exactly l1 * l2 positions are refused, though there is a vector for each. Is it >, or >=?

    fr: Exactement l1 * l2 positions sont refusées, alors que chacune a son vecteur. Est-ce >, ou >= ?
    """

    def positions(self, seq_len):
        if seq_len == self.l1 * self.l2:
            raise ValueError("too many positions")
        return super().positions(seq_len)


class AxialPositions__remainders(AxialPositions):
    """Both rows are remainders, so that some positions have the same vector. What is needed for E2?

    fr: Les deux lignes sont des restes, si bien que des positions ont le même vecteur. Que faut-il pour E2 ?
    """

    def rows(self, j):
        return j % self.l1, j % self.l2


class AxialPositions__quotients(AxialPositions):
    """Both rows are quotients, so that neighbours have the same vector. What is needed for E1?

    fr: Les deux lignes sont des quotients, si bien que des voisins ont le même vecteur. Que faut-il pour E1 ?
    """

    def rows(self, j):
        return j // self.l2, j // self.l1


class AxialPositions__second_in_front(AxialPositions):
    """The row of E2 stands in front of that of E1. Look at the order of what you join.

    fr: La ligne de E2 est devant celle de E1. Regardez l'ordre de ce que vous assemblez.
    """

    def join(self, first, second):
        return super().join(second, first)


class AxialPositions__summed(AxialPositions):
    """Both tables have the whole width, and their rows are added. They should stand side by side, each with
    its own width.

    fr: Les deux tables ont la largeur entière, et leurs lignes sont additionnées. Elles devraient être côte à
    côte, chacune avec sa largeur.
    """

    def __init__(self, l1, l2, d1, d2):
        super().__init__(l1, l2, d1 + d2, d1 + d2)

    def join(self, first, second):
        return first + second


class AxialPositions__one_large_table(AxialPositions):
    """There is one table with a row for each position: l1 * l2 rows, which axial positions are to avoid.

    fr: Il y a une seule table, avec une ligne par position : l1 * l2 lignes, ce que les positions axiales
    veulent éviter.
    """

    def __init__(self, l1, l2, d1, d2):
        super().__init__(l1, l2, d1, d2)
        del self.E1, self.E2
        self.table = nn.Parameter(torch.randn(l1 * l2, d1 + d2) * 0.02)

    def forward(self, seq_len):
        return self.table[self.positions(seq_len)]


class AxialPositions__large_tables(AxialPositions):
    """Both tables have a row for each position: l1 * l2 rows, of which only the first are needed.

    fr: Les deux tables ont une ligne par position : l1 * l2 lignes, dont seules les premières servent.
    """

    def __init__(self, l1, l2, d1, d2):
        super().__init__(l1 * l2, l1 * l2, d1, d2)
        self.l1, self.l2 = l1, l2


class AxialPositions__widths_exchanged(AxialPositions):
    """E1 has the width d2, and E2 the width d1. Look at the sizes of both tables.

    fr: E1 a la largeur d2, et E2 la largeur d1. Regardez les tailles des deux tables.
    """

    def __init__(self, l1, l2, d1, d2):
        super().__init__(l1, l2, d2, d1)


class AxialPositions__positions_from_one(AxialPositions):
    """The positions are counted from 1; the first one is 0.

    fr: Les positions sont comptées à partir de 1 ; la première est 0.
    """

    def rows(self, j):
        first, second = super().rows(j + 1)
        return first, second % self.l2


class AxialPositions__reversed(AxialPositions):
    """The positions are counted from the end of the sequence; they begin with 0 at its start.

    fr: Les positions sont comptées depuis la fin de la séquence ; elles commencent par 0 à son début.
    """

    def positions(self, seq_len):
        return super().positions(seq_len).flip(0)


class AxialPositions__first_table_alone(AxialPositions):
    """The rows of E2 have no effect: the last columns are 0. Look at what becomes of E2.

    fr: Les lignes de E2 n'ont aucun effet : les dernières colonnes valent 0. Regardez ce que devient E2.
    """

    def join(self, first, second):
        return super().join(first, second * 0)


class AxialPositions__one_row_of_each(AxialPositions):
    """Every position has the same vector. Look at whether the rows depend on the position.

    fr: Toutes les positions ont le même vecteur. Regardez si les lignes dépendent de la position.
    """

    def rows(self, j):
        return super().rows(j * 0)


class AxialPositions__all_positions(AxialPositions):
    """All l1 * l2 vectors come back, whatever seq_len says.

    fr: Les l1 * l2 vecteurs sont tous renvoyés, quoi que dise seq_len.
    """

    def positions(self, seq_len):
        return super().positions(self.l1 * self.l2)


class AxialPositions__begins_anew(AxialPositions):
    """Beyond l1 * l2 positions the vectors begin anew; more positions than there are should be an error.

    fr: Au-delà de l1 * l2 positions, les vecteurs recommencent ; davantage de positions qu'il n'y en a
    devrait être une erreur.
    """

    def positions(self, seq_len):
        return torch.arange(seq_len) % (self.l1 * self.l2)


class AxialPositions__cut_off(AxialPositions):
    """Beyond l1 * l2 positions the answer is cut off; more positions than there are should be an error. A
    slice never raises.

    fr: Au-delà de l1 * l2 positions, la réponse est tronquée ; davantage de positions qu'il n'y en a devrait
    être une erreur. Une tranche ne lève jamais d'erreur.
    """

    def positions(self, seq_len):
        return super().positions(min(seq_len, self.l1 * self.l2))


class AxialPositions__scaled(AxialPositions):
    """The vectors are multiplied by the root of their width. The rows should stand in the answer as they are.

    fr: Les vecteurs sont multipliés par la racine de leur largeur. Les lignes devraient figurer telles
    quelles dans la réponse.
    """

    def join(self, first, second):
        vectors = super().join(first, second)
        return vectors * vectors.shape[-1] ** 0.5


class AxialPositions__detached(AxialPositions):
    """No gradient reaches the tables. Look for detach, data and no_grad.

    fr: Aucun gradient n'atteint les tables. Cherchez detach, data et no_grad.
    """

    def join(self, first, second):
        return super().join(first.detach(), second.detach())


class AxialPositions__not_learned(AxialPositions):
    """The tables are no parameters, so that nothing is learned. Look at how a module learns of its
    parameters.

    fr: Les tables ne sont pas des paramètres, si bien que rien n'est appris. Regardez comment un module
    connaît ses paramètres.
    """

    def __init__(self, l1, l2, d1, d2):
        super().__init__(l1, l2, d1, d2)
        del self.E1, self.E2
        generator = torch.Generator().manual_seed(0)
        self.register_buffer("E1", torch.randn(l1, d1, generator=generator))
        self.register_buffer("E2", torch.randn(l2, d2, generator=generator))
