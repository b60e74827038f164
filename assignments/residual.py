# %% [markdown] lang="en"
# ## A residual around a layer
#
# What stands around attention and around the feed-forward network in every block: the layer's answer is added
# to its input, so that gradients have a way past it, and a layer norm keeps the numbers at one scale.

# %% [markdown] lang="fr"
# ## Un résidu autour d'une couche
#
# Ce qui entoure l'attention et le réseau feed-forward dans chaque bloc : la réponse de la couche est
# ajoutée à son entrée, si bien que les gradients ont un chemin à côté d'elle, et une norme garde les
# nombres à une même échelle.

# %%
import torch.nn as nn


class Residual(nn.Module):
    """A layer with a residual connection and a layer norm around it.

    Args:
        layer: a module from (B, S, E) to (B, S, E); use it as it is.
        dim: E, the width of the layer norm (nn.LayerNorm or one of your own, eps at most 1e-5).
        dropout: the rate of dropout on what the layer answers, in training.
        pre: whether the norm comes before the layer, x + layer(norm(x)), as in GPT-2 and in the course's
            block; otherwise it comes after the sum, norm(x + layer(x)), as in the first Transformer and
            in BERT.

    fr: Une couche entourée d'une connexion résiduelle et d'une norme.

    Args:
        layer: un module de (B, S, E) vers (B, S, E) ; utilisez-le tel quel.
        dim: E, la largeur de la norme (nn.LayerNorm ou la vôtre, eps d'au plus 1e-5).
        dropout: le taux de dropout sur la réponse de la couche, à l'entraînement.
        pre: si la norme vient avant la couche, x + layer(norm(x)), comme dans GPT-2 et dans le bloc du
            cours ; sinon elle vient après la somme, norm(x + layer(x)), comme dans le premier Transformer
            et dans BERT.
    """

    def __init__(self, layer, dim, dropout=0.0, pre=True):
        super().__init__()
        raise NotImplementedError

    def forward(self, x):
        """From x, shape (B, S, E), to the same shape.

        fr: De x, de forme (B, S, E), vers la même forme.
        """
        raise NotImplementedError
