# %% [markdown] lang="en"
# ## The feed-forward network
#
# After the attention, each position goes by itself through two linear layers with a GELU between them.

# %% [markdown] lang="fr"
# ## Le réseau feed-forward
#
# Après l'attention, chaque position traverse seule deux couches linéaires séparées par une GELU.

# %%
import torch.nn as nn


class PositionwiseFeedForward(nn.Module):
    """The same two layers for every position.

    Args:
        hidden_size: E, the width of the input and of the output.
        intermediate_size: F, the width in between.

    The linear layers fc1 (from E to F) and fc2 (from F to E) have a bias; between them acts GELU, exact or by
    tanh.

    fr: Les deux mêmes couches pour chaque position.

    Args:
        hidden_size: E, la largeur de l'entrée et de la sortie.
        intermediate_size: F, la largeur intermédiaire.

    Les couches linéaires fc1 (de E à F) et fc2 (de F à E) ont un biais ; entre elles agit GELU, exacte ou par
    tanh.
    """

    def __init__(self, hidden_size, intermediate_size):
        super().__init__()
        raise NotImplementedError

    def forward(self, x):
        """Apply the network to x, shape (B, S, E).

        Returns:
            shape (B, S, E).

        fr: Applique le réseau à x, de forme (B, S, E).

        Returns:
            forme (B, S, E).
        """
        raise NotImplementedError
