# %% [markdown] lang="en"
# ## Many heads, as a list
#
# Several small causal heads side by side, each with projections of its own; what they answer is put side by
# side and projected back to the width of the model.

# %% [markdown] lang="fr"
# ## Plusieurs têtes, en liste
#
# Plusieurs petites têtes causales côte à côte, chacune avec ses propres projections ; leurs réponses sont
# mises bout à bout, puis projetées à la largeur du modèle.

# %%
import torch
import torch.nn as nn


class MultiHead(nn.Module):
    """Causal self-attention as a list of heads and a last projection.

    Args:
        num_heads: H, the number of heads.
        head_size: D, the width of each head; H * D need not be E.
        n_embd: E, the width of the input and of the output.
        block_size: the longest sequence that will come.
        dropout: the rate of dropout on the output, in training; on the attention weights too, if you like.

    Each head has linear layers key, query and value from E to D, without bias; no position sees a later one,
    and the scores are scaled by 1/sqrt(D). The heads' answers, head 0 first, go through one linear layer with
    bias from H * D to E. Keep the heads in an nn.ModuleList; one layer for all heads is accepted too.

    fr: Auto-attention causale, comme liste de têtes suivie d'une projection.

    Args:
        num_heads: H, le nombre de têtes.
        head_size: D, la largeur de chaque tête ; H * D n'est pas forcément E.
        n_embd: E, la largeur de l'entrée et de la sortie.
        block_size: la longueur de la plus longue séquence qui viendra.
        dropout: le taux de dropout sur la sortie, à l'entraînement ; sur les poids d'attention aussi, si vous
            voulez.

    Chaque tête a des couches linéaires key, query et value de E vers D, sans biais ; aucune position n'en
    voit une ultérieure, et les scores sont mis à l'échelle par 1/sqrt(D). Les réponses des têtes, la tête
    0 d'abord, passent par une seule couche linéaire avec biais de H * D vers E. Gardez les têtes dans une
    nn.ModuleList ; une couche pour toutes les têtes est acceptée aussi.
    """

    def __init__(self, num_heads, head_size, n_embd, block_size, dropout=0.0):
        super().__init__()
        raise NotImplementedError

    def forward(self, x):
        """Let every position attend to itself and to earlier ones, with all heads.

        Args:
            x: shape (B, T, E), with T from 1 to block_size.

        Returns:
            shape (B, T, E), one tensor.

        fr: Laisse chaque position prêter attention à elle-même et aux précédentes, avec toutes les têtes.

        Args:
            x: de forme (B, T, E), avec T de 1 à block_size.

        Returns:
            la forme (B, T, E), un seul tenseur.
        """
        raise NotImplementedError
