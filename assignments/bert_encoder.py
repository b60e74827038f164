# %% [markdown] lang="en"
# ## The encoder
#
# Layers of the same kind, each with its own weights: the output of one is the input of the next.

# %% [markdown] lang="fr"
# ## L'encodeur
#
# Des couches du même type, chacune avec ses propres poids : la sortie de l'une est l'entrée de la suivante.

# %%
import torch.nn as nn


class BertEncoder(nn.Module):
    """A stack of layers.

    Args:
        num_layers: the number of layers.
        hidden_size: E, the width of the input and of the output.
        num_heads: H, the number of heads of each layer.
        intermediate_size: F, the inner width of each layer.

    layers holds them, in the order of their use.

    fr: Un empilement de couches.

    Args:
        num_layers: le nombre de couches.
        hidden_size: E, la largeur de l'entrée et de la sortie.
        num_heads: H, le nombre de têtes de chaque couche.
        intermediate_size: F, la largeur intérieure de chaque couche.

    layers les contient, dans l'ordre où elles servent.
    """

    def __init__(self, num_layers, hidden_size, num_heads, intermediate_size):
        super().__init__()
        raise NotImplementedError

    def forward(self, hidden_states, attention_mask=None):
        """Send hidden_states, shape (B, S, E), through all layers, each under the same mask.

        Returns:
            shape (B, S, E), the output of the last layer.

        fr: Fait passer hidden_states, de forme (B, S, E), par toutes les couches, chacune sous le même
        masque.

        Returns:
            forme (B, S, E), la sortie de la dernière couche.
        """
        raise NotImplementedError
