# %% [markdown] lang="en"
# ## Axial positions
#
# A table with a vector for each position is huge for a long text. Reformer lays the positions out on a grid,
# and learns a small table for the rows of the grid and another for its columns.

# %% [markdown] lang="fr"
# ## Les positions axiales
#
# Une table avec un vecteur par position est énorme pour un texte long. Reformer dispose les positions sur une
# grille, et apprend une petite table pour les lignes de la grille et une autre pour ses colonnes.

# %%
import torch
from torch import nn


class AxialPositions(nn.Module):
    """Learned vectors for l1 * l2 positions, from two tables: E1 with l1 rows, E2 with l2.

    The vector of position j is row j % l1 of E1, followed by row j // l1 of E2. (Libraries may count the
    other way round, with j // l2 for E1 and j % l2 for E2; here it is as the course says.)

    Args:
        l1: the number of rows of E1.
        l2: the number of rows of E2. There are vectors for l1 * l2 positions.
        d1: the width of E1.
        d2: the width of E2. A position's vector is d1 + d2 wide.

    The two tables are its only parameters: l1 * d1 + l2 * d2 numbers, and not l1 * l2 * (d1 + d2).

    fr: Des vecteurs appris pour l1 * l2 positions, tirés de deux tables : E1 à l1 lignes, E2 à l2 lignes.

    Le vecteur de la position j est la ligne j % l1 de E1, suivie de la ligne j // l1 de E2. (Des
    bibliothèques comptent dans l'autre sens, avec j // l2 pour E1 et j % l2 pour E2 ; ici, c'est comme le dit
    le cours.)

    Args:
        l1: le nombre de lignes de E1.
        l2: le nombre de lignes de E2. Il y a des vecteurs pour l1 * l2 positions.
        d1: la largeur de E1.
        d2: la largeur de E2. Le vecteur d'une position a pour largeur d1 + d2.

    Les deux tables sont ses seuls paramètres : l1 * d1 + l2 * d2 nombres, et non l1 * l2 * (d1 + d2).
    """

    def __init__(self, l1, l2, d1, d2):
        super().__init__()
        raise NotImplementedError

    def forward(self, seq_len):
        """The vectors of the first positions.

        Args:
            seq_len: S, an int, l1 * l2 at most; more than that is an error, of any type.

        Returns:
            a tensor of shape (S, d1 + d2), whose row j is the vector of position j.

        fr: Les vecteurs des premières positions.

        Args:
            seq_len: S, un int, l1 * l2 au plus ; davantage est une erreur, de n'importe quel type.

        Returns:
            un tenseur de forme (S, d1 + d2), dont la ligne j est le vecteur de la position j.
        """
        raise NotImplementedError
