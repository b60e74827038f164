# %% [markdown] lang="en"
# ## The feed-forward network
#
# The same two layers for every position by itself.

# %% [markdown] lang="fr"
# ## Le réseau feed-forward
#
# Les deux mêmes couches pour chaque position, prise seule.

# %%
import torch.nn as nn


class FeedForward(nn.Module):
    """Two linear layers with an activation between them, applied to each position.

    Args:
        embed_dim: E, the width of the input and of the output.
        ff_dim: F, the width between the layers; 4 * E if it is not given.
        dropout: the rate of the dropout, which acts in training only.

    The layers are called linear1 and linear2; the activation is GELU.

    fr: Deux couches linéaires avec une activation entre elles, appliquées à chaque position.

    Args:
        embed_dim: E, la largeur de l'entrée et de la sortie.
        ff_dim: F, la largeur entre les couches ; 4 * E si elle n'est pas donnée.
        dropout: le taux du dropout, qui n'agit qu'à l'entraînement.

    Les couches s'appellent linear1 et linear2 ; l'activation est GELU.
    """

    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__()
        raise NotImplementedError

    def forward(self, x):
        """Apply the network to x, shape (B, S, E), and return the same shape.

        fr: Applique le réseau à x, de forme (B, S, E), et renvoie un tenseur de même forme.
        """
        raise NotImplementedError
