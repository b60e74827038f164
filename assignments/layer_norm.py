# %% [markdown] lang="en"
# ## Layer normalisation by hand
#
# Each position is normalised by itself: its mean becomes 0 and its variance 1, then a learned gain and a
# learned shift act on each column. A batch norm would take mean and variance over the batch instead.

# %% [markdown] lang="fr"
# ## La normalisation de couche, à la main
#
# Chaque position est normalisée pour elle-même : sa moyenne devient 0 et sa variance 1, puis un gain et un
# décalage appris agissent sur chaque colonne. Une batch norm prendrait moyenne et variance sur le lot.

# %%
import torch
import torch.nn as nn


class LayerNorm(nn.Module):
    """gamma * (x - mean) / sqrt(variance + eps) + beta, with mean and variance of each position.

    Args:
        dim: E, the width of the input and of the output.
        eps: what is added to the variance, under the root.

    The variance is the mean of the squared differences: it divides by E. The parameters are gamma, shape
    (E,), ones at the beginning, and beta, shape (E,), zeros at the beginning. To add eps to the standard
    deviation, as some texts write it, is accepted too.

    fr: gamma * (x - moyenne) / sqrt(variance + eps) + beta, avec moyenne et variance de chaque position.

    Args:
        dim: E, la largeur de l'entrée et de la sortie.
        eps: ce qui est ajouté à la variance, sous la racine.

    La variance est la moyenne des carrés des écarts : elle divise par E. Les paramètres sont gamma, de forme
    (E,), des uns au départ, et beta, de forme (E,), des zéros au départ. Ajouter eps à l'écart type, comme
    l'écrivent certains textes, est accepté aussi.
    """

    def __init__(self, dim, eps=1e-5):
        super().__init__()
        raise NotImplementedError

    def forward(self, x):
        """Apply the norm to x, shape (B, S, E), and return the same shape.

        fr: Applique la norme à x, de forme (B, S, E), et renvoie la même forme.
        """
        raise NotImplementedError
