# %% [markdown] lang="en"
# ## Causal self-attention
#
# Several heads, none of which looks ahead: a position sees itself and what came before. A further mask may
# hide more, but never show the future.

# %% [markdown] lang="fr"
# ## L'auto-attention causale
#
# Plusieurs têtes, dont aucune ne regarde en avant : une position se voit elle-même et ce qui précède. Un
# autre masque peut en cacher davantage, jamais rendre le futur.

# %%
import torch.nn as nn


class CausalMultiHeadSelfAttention(nn.Module):
    """Self-attention with several heads, always causal.

    Args:
        hidden_size: E, the width of the input and of the output.
        num_heads: H, the number of heads; each is D = E / H wide.

    Raises an error at construction if H does not divide E. Its linear layers, all with bias, are called
    query, key, value and out. Head h works on the columns h*D to (h+1)*D; the scores are scaled by 1/sqrt(D).

    fr: Auto-attention à plusieurs têtes, toujours causale.

    Arguments :
        hidden_size : E, la largeur de l'entrée et de la sortie.
        num_heads : H, le nombre de têtes ; chacune est de largeur D = E / H.

    Lève une erreur à la construction si H ne divise pas E. Ses couches linéaires, toutes avec biais,
    s'appellent query, key, value et out. La tête h travaille sur les colonnes h*D à (h+1)*D ; les scores sont
    mis à l'échelle par 1/sqrt(D).
    """

    def __init__(self, hidden_size, num_heads):
        super().__init__()
        raise NotImplementedError

    def forward(self, hidden_states, attention_mask=None):
        """Let every position attend to itself and to earlier ones.

        Args:
            hidden_states: shape (B, S, E).
            attention_mask: shape (B, 1, S, S), whole or floating-point numbers, 1 = allowed, 0 = hidden;
                queries are rows, keys columns. A key is seen where this mask and the causal one allow it.

        Returns:
            shape (B, S, E), one tensor.

        fr: Laisse chaque position prêter attention à elle-même et aux précédentes.

        Arguments :
            hidden_states : de forme (B, S, E).
            attention_mask : de forme (B, 1, S, S), entiers ou flottants, 1 = autorisé, 0 = caché ; les
                requêtes sont les lignes, les clés les colonnes. Une clé est vue là où ce masque et le masque
                causal l'autorisent tous deux.

        Renvoie :
            la forme (B, S, E), un seul tenseur.
        """
        raise NotImplementedError
