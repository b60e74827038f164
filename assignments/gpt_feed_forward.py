# %% [markdown] lang="en"
# ## The feed-forward network
#
# Each position goes through the same two layers by itself.

# %% [markdown] lang="fr"
# ## Le réseau feed-forward
#
# Chaque position traverse à part les deux mêmes couches.

# %%
import torch.nn as nn


class PositionwiseFeedForward(nn.Module):
    """Two linear layers with an activation between them, applied to each position.

    Args:
        hidden_size: E, the width of the input and of the output.
        intermediate_size: F, the width between the layers.

    The layers, both with bias, are called fc1 and fc2; the activation is GELU (ReLU will do too).

    fr: Deux couches linéaires séparées par une activation, appliquées à chaque position.

    Arguments :
        hidden_size : E, la largeur de l'entrée et de la sortie.
        intermediate_size : F, la largeur entre les couches.

    Les couches, toutes deux avec biais, s'appellent fc1 et fc2 ; l'activation est GELU (ReLU convient aussi).
    """

    def __init__(self, hidden_size, intermediate_size):
        super().__init__()
        raise NotImplementedError

    def forward(self, x):
        """Apply the network to x, shape (B, S, E), and return the same shape.

        fr: Applique le réseau à x, de forme (B, S, E), et renvoie la même forme.
        """
        raise NotImplementedError
