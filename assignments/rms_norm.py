# %% [markdown] lang="en"
# ## RMSNorm
#
# The norm of Llama: each position is divided by the root of the mean of its squares, and a learned weight
# acts on each column. No mean is subtracted, and there is no bias.

# %% [markdown] lang="fr"
# ## RMSNorm
#
# La norme de Llama : chaque position est divisée par la racine de la moyenne de ses carrés, et un poids
# appris agit sur chaque colonne. Aucune moyenne n'est soustraite, et il n'y a pas de biais.

# %%
import torch
import torch.nn as nn


class RMSNorm(nn.Module):
    """weight * x / sqrt(mean of the squares + eps), with the mean of each position.

    Args:
        dim: E, the width of the input and of the output.
        eps: what is added to the mean of the squares, under the root.

    The only parameter is weight, shape (E,), ones at the beginning. Where no eps is asked for, any from 1e-12
    to 1e-5 is accepted. To compute in float32 inside, as Llama's code does, is accepted too.

    fr: weight * x / sqrt(moyenne des carrés + eps), avec la moyenne de chaque position.

    Args:
        dim: E, la largeur de l'entrée et de la sortie.
        eps: ce qui est ajouté à la moyenne des carrés, sous la racine.

    Le seul paramètre est weight, de forme (E,), des uns au départ. Quand aucun eps n'est demandé, tout eps de
    1e-12 à 1e-5 est accepté. Calculer en float32 à l'intérieur, comme le code de Llama, est accepté aussi.
    """

    def __init__(self, dim, eps=1e-6):
        super().__init__()
        raise NotImplementedError

    def forward(self, x):
        """Apply the norm to x, shape (B, S, E), and return the same shape.

        fr: Applique la norme à x, de forme (B, S, E), et renvoie la même forme.
        """
        raise NotImplementedError
