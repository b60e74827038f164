# %% [markdown] lang="en"
# ## The pooler
#
# BERT puts a special token, [CLS], in front of each text. What the encoder makes of it stands for the whole
# text: one layer more, and heads for sentences begin there.

# %% [markdown] lang="fr"
# ## Le pooler
#
# BERT place un token spécial, [CLS], devant chaque texte. Ce que l'encodeur en fait représente le texte
# entier : une couche de plus, et les têtes pour phrases partent de là.

# %%
import torch.nn as nn


class BertPooler(nn.Module):
    """One vector for each sequence: the first position, through a linear layer and tanh.

    Args:
        hidden_size: E, the width of the input and of the output.

    The layer, with bias, is called dense. It gets the first position alone, and tanh acts after it.

    fr: Un vecteur par séquence : la première position, à travers une couche linéaire puis tanh.

    Arguments :
        hidden_size : E, la largeur de l'entrée et de la sortie.

    La couche, avec biais, s'appelle dense. Elle ne reçoit que la première position, et tanh agit après elle.
    """

    def __init__(self, hidden_size):
        super().__init__()
        raise NotImplementedError

    def forward(self, hidden_states):
        """Turn hidden_states, shape (B, S, E), into (B, E).

        fr: Transforme hidden_states, de forme (B, S, E), en (B, E).
        """
        raise NotImplementedError
