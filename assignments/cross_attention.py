# %% [markdown] lang="en"
# ## Cross-attention
#
# The queries come from one sequence, the keys and values from another: so a decoder looks at what the encoder
# has made of the source.

# %% [markdown] lang="fr"
# ## L'attention croisée
#
# Les requêtes viennent d'une séquence, les clés et les valeurs d'une autre : c'est ainsi qu'un décodeur
# regarde ce que l'encodeur a fait de la source.

# %%
import torch.nn as nn


class CrossAttention(nn.Module):
    """Attention with several heads, from a sequence to a memory.

    Args:
        embed_dim: E, the width of the input and of the output.
        num_heads: H, the number of heads; an E that H does not divide is an error at construction.
        kv_dim: Ek, the width of the memory; E if it is not given.

    The linear layers all have a bias: W_q and W_o from E to E, W_k and W_v from Ek to E.

    fr: Attention à plusieurs têtes, d'une séquence vers une mémoire.

    Args:
        embed_dim: E, la largeur de l'entrée et de la sortie.
        num_heads: H, le nombre de têtes ; un E que H ne divise pas est une erreur à la construction.
        kv_dim: Ek, la largeur de la mémoire ; E si elle n'est pas donnée.

    Les couches linéaires ont toutes un biais : W_q et W_o de E vers E, W_k et W_v de Ek vers E.
    """

    def __init__(self, embed_dim, num_heads, kv_dim=None):
        super().__init__()
        raise NotImplementedError

    def forward(self, x, memory, mask=None):
        """Attend from each position of x to all of the memory: W_q gets x, W_k and W_v get the memory.

        Args:
            x: shape (B, Sq, E).
            memory: shape (B, Sk, Ek).
            mask: None, or a bool tensor that broadcasts to (B, H, Sq, Sk); True = masked.

        Returns:
            (output, weights): shapes (B, Sq, E) and (B, H, Sq, Sk).

        fr: Calcule l'attention de chaque position de x sur toute la mémoire : W_q reçoit x, W_k et W_v
        reçoivent la mémoire.

        Args:
            x: de forme (B, Sq, E).
            memory: de forme (B, Sk, Ek).
            mask: None, ou un tenseur bool qui s'étend à (B, H, Sq, Sk) ; True = masqué.

        Returns:
            (sortie, poids) : de formes (B, Sq, E) et (B, H, Sq, Sk).
        """
        raise NotImplementedError
