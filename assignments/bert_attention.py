# %% [markdown] lang="en"
# ## Self-attention with several heads
#
# Every position attends to every other one, in both directions, in several heads with projections of their
# own.

# %% [markdown] lang="fr"
# ## L'auto-attention à plusieurs têtes
#
# Chaque position prête attention à toutes les autres, dans les deux sens, dans plusieurs têtes qui ont leurs
# propres projections.

# %%
import torch.nn as nn


class MultiHeadSelfAttention(nn.Module):
    """Attention of a sequence to itself.

    Args:
        hidden_size: E, the width of the input and of the output.
        num_heads: H, the number of heads; an E that H does not divide is an error at construction.

    The linear layers query, key, value and out all have a bias. Head h works on the columns h * D to (h + 1)
    * D of queries, keys and values, with D = E / H; the scale is 1 / sqrt(D).

    fr: L'attention d'une séquence à elle-même.

    Args:
        hidden_size: E, la largeur de l'entrée et de la sortie.
        num_heads: H, le nombre de têtes ; un E que H ne divise pas est une erreur à la construction.

    Les couches linéaires query, key, value et out ont toutes un biais. La tête h travaille sur les colonnes h
    * D à (h + 1) * D des requêtes, des clés et des valeurs, avec D = E / H ; le facteur d'échelle est 1 /
    sqrt(D).
    """

    def __init__(self, hidden_size, num_heads):
        super().__init__()
        raise NotImplementedError

    def forward(self, hidden_states, attention_mask=None):
        """Attend from each position to all of them.

        Args:
            hidden_states: shape (B, S, E).
            attention_mask: None, or numbers to be added to the scores before the softmax, of a shape that
                broadcasts to (B, H, S, S), such as (B, 1, 1, S): 0 = visible, a large negative number =
                masked.

        Returns:
            shape (B, S, E).

        fr: Applique l'attention de chaque position à toutes.

        Args:
            hidden_states: forme (B, S, E).
            attention_mask: None, ou des nombres à ajouter aux scores avant le softmax, d'une forme qui
                s'étend à (B, H, S, S), comme (B, 1, 1, S) : 0 = visible, un grand nombre négatif = masqué.

        Returns:
            forme (B, S, E).
        """
        raise NotImplementedError
