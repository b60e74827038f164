# %% [markdown] lang="en"
# ## Multi-head attention
#
# Several attentions in parallel, each on its own slice of the projected input, joined and projected again.

# %% [markdown] lang="fr"
# ## L'attention à plusieurs têtes
#
# Plusieurs attentions en parallèle, chacune sur sa tranche de l'entrée projetée, réunies puis projetées
# une dernière fois.

# %%
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    """Self-attention with several heads.

    Args:
        embed_dim: E, the width of the input and of the output.
        num_heads: H, the number of heads; an E that H does not divide is an error at construction.

    The linear layers W_q, W_k, W_v and W_o all have a bias.

    fr: Auto-attention à plusieurs têtes.

    Args:
        embed_dim: E, la largeur de l'entrée et de la sortie.
        num_heads: H, le nombre de têtes ; un E que H ne divise pas est une erreur à la construction.

    Les couches linéaires W_q, W_k, W_v et W_o ont toutes un biais.
    """

    def __init__(self, embed_dim, num_heads):
        super().__init__()
        raise NotImplementedError

    def forward(self, x, mask=None):
        """Attend from each position of x to all of them.

        Args:
            x: shape (B, S, E).
            mask: None, or a bool tensor that broadcasts to (B, H, S, S); True = masked.

        Returns:
            (output, weights): shapes (B, S, E) and (B, H, S, S).

        fr: Calcule l'attention de chaque position de x sur toutes les positions.

        Args:
            x: de forme (B, S, E).
            mask: None, ou un tenseur bool qui s'étend à (B, H, S, S) ; True = masqué.

        Returns:
            (sortie, poids) : de formes (B, S, E) et (B, H, S, S).
        """
        raise NotImplementedError
