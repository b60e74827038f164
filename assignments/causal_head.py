# %% [markdown] lang="en"
# ## One causal head
#
# A single head of self-attention: the query of a position is compared with the keys of earlier positions, and
# their values are averaged accordingly. No position sees the future.

# %% [markdown] lang="fr"
# ## Une tête causale
#
# Une seule tête d'auto-attention : la requête d'une position est comparée aux clés des positions précédentes,
# et leurs valeurs sont moyennées en conséquence. Aucune position ne voit le futur.

# %%
import torch.nn as nn


class Head(nn.Module):
    """One head of causal self-attention.

    Args:
        n_embd: E, the width of the input.
        head_size: D, the width of the head.
        block_size: the longest sequence that will come.
        dropout: the rate of dropout on the attention weights, in training.

    Its linear layers, all from E to D and without bias, are called key, query and value. The scores are
    scaled by 1/sqrt(D).

    fr: Une tête d'auto-attention causale.

    Arguments :
        n_embd : E, la largeur de l'entrée.
        head_size : D, la largeur de la tête.
        block_size : la longueur de la plus longue séquence qui viendra.
        dropout : le taux de dropout sur les poids d'attention, à l'entraînement.

    Ses couches linéaires, toutes de E vers D et sans biais, s'appellent key, query et value. Les scores sont
    mis à l'échelle par 1/sqrt(D).
    """

    def __init__(self, n_embd, head_size, block_size, dropout=0.0):
        super().__init__()
        raise NotImplementedError

    def forward(self, x):
        """Let every position attend to itself and to earlier ones.

        Args:
            x: shape (B, T, E), with T from 1 to block_size.

        Returns:
            shape (B, T, D), one tensor.

        fr: Laisse chaque position prêter attention à elle-même et aux précédentes.

        Arguments :
            x : de forme (B, T, E), avec T de 1 à block_size.

        Renvoie :
            la forme (B, T, D), un seul tenseur.
        """
        raise NotImplementedError
