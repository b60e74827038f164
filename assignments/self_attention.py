# %% [markdown] lang="en"
# ## Self-attention with one head
#
# A class that keeps its three projections: queries, keys and values all come from the same input, and each
# position takes a weighted mean of the values of all positions.

# %% [markdown] lang="fr"
# ## L'auto-attention à une tête
#
# Une classe qui garde ses trois projections : requêtes, clés et valeurs viennent toutes de la même entrée, et
# chaque position prend une moyenne pondérée des valeurs de toutes les positions.

# %%
import torch.nn as nn


class SelfAttention(nn.Module):
    """Self-attention with one head as wide as its input.

    Args:
        embed_dim: E, the width of the input and of the output.

    The linear layers W_q, W_k and W_v, all from E to E, have a bias. No projection follows the attention. The
    scores are scaled by 1/sqrt(E).

    fr: Auto-attention à une tête, aussi large que son entrée.

    Args:
        embed_dim: E, la largeur de l'entrée et de la sortie.

    Les couches linéaires W_q, W_k et W_v, toutes de E vers E, ont un biais. Aucune projection ne suit
    l'attention. Les scores sont mis à l'échelle par 1/sqrt(E).
    """

    def __init__(self, embed_dim):
        super().__init__()
        raise NotImplementedError

    def forward(self, x, mask=None):
        """Attend from each position of x to all of them.

        Args:
            x: shape (B, S, E).
            mask: None, or a bool tensor that broadcasts to (B, S, S); True = masked.

        Returns:
            (output, weights): shapes (B, S, E) and (B, S, S).

        fr: Calcule l'attention de chaque position de x sur toutes les positions.

        Args:
            x: de forme (B, S, E).
            mask: None, ou un tenseur bool qui s'étend à (B, S, S) ; True = masqué.

        Returns:
            (sortie, poids) : de formes (B, S, E) et (B, S, S).
        """
        raise NotImplementedError
