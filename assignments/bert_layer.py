# %% [markdown] lang="en"
# ## One layer of the encoder
#
# Attention, then the feed-forward network. What goes into each is added to what comes out, and the sum is
# normalised.

# %% [markdown] lang="fr"
# ## Une couche de l'encodeur
#
# L'attention, puis le réseau feed-forward. L'entrée de chacun est ajoutée à sa sortie, et la somme est
# normalisée.

# %%
import torch.nn as nn


class BertLayer(nn.Module):
    """A layer with the norms behind the sums (post-norm).

    Args:
        hidden_size: E, the width of the input and of the output.
        num_heads: H, the number of heads.
        intermediate_size: F, the inner width of the feed-forward network.

    Its parts are called attention (a MultiHeadSelfAttention), attention_layer_norm, ff (a
    PositionwiseFeedForward) and ff_layer_norm; the norms have eps 1e-12. In training, a dropout with rate 0.1
    acts on the answer of each part.

    fr: Une couche dont les normes viennent après les sommes (post-norm).

    Args:
        hidden_size: E, la largeur de l'entrée et de la sortie.
        num_heads: H, le nombre de têtes.
        intermediate_size: F, la largeur intérieure du réseau feed-forward.

    Ses parties s'appellent attention (une MultiHeadSelfAttention), attention_layer_norm, ff (un
    PositionwiseFeedForward) et ff_layer_norm ; les normes ont eps 1e-12. À l'entraînement, un dropout de taux
    0.1 agit sur la réponse de chaque partie.
    """

    def __init__(self, hidden_size, num_heads, intermediate_size):
        super().__init__()
        raise NotImplementedError

    def forward(self, hidden_states, attention_mask=None):
        """Apply the layer to hidden_states, shape (B, S, E), under a mask as for MultiHeadSelfAttention.

        With y = attention_layer_norm(x + attention of x), the answer is ff_layer_norm(y + ff of y).

        Returns:
            shape (B, S, E).

        fr: Applique la couche à hidden_states, de forme (B, S, E), sous un masque comme pour
        MultiHeadSelfAttention.

        Avec y = attention_layer_norm(x + attention de x), la réponse est ff_layer_norm(y + ff de y).

        Returns:
            forme (B, S, E).
        """
        raise NotImplementedError
