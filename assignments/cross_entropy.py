# %% [markdown] lang="en"
# ## Cross-entropy by hand
#
# What a language model is trained on: minus the logarithm of the probability that it gives to the id that
# really comes. The numbers that it gets are logits, which a softmax turns into probabilities; they can be so
# large that their exponential has no place in a float.

# %% [markdown] lang="fr"
# ## L'entropie croisée, à la main
#
# Ce sur quoi un modèle de langage est entraîné : l'opposé du logarithme de la probabilité qu'il donne à
# l'identifiant qui vient vraiment. Les nombres reçus sont des logits, dont un softmax fait des probabilités ;
# ils peuvent être si grands que leur exponentielle ne tient pas dans un flottant.

# %%
import torch


def cross_entropy(logits, targets, ignore_index=-100):
    """The mean of -log softmax(logits)[target] over the rows whose target is not ignore_index.

    Args:
        logits: shape (N, C), any finite numbers, also +-1e4.
        targets: shape (N,), integers from 0 to C - 1, or ignore_index; at least one row counts.
        ignore_index: rows with this target count neither in the sum nor in the number of rows.

    Returns:
        a tensor of shape (), with a gradient; the logarithm is the natural one.

    fr: La moyenne de -log softmax(logits)[cible] sur les lignes dont la cible n'est pas ignore_index.

    Args:
        logits: de forme (N, C), des nombres finis quelconques, aussi +-1e4.
        targets: de forme (N,), des entiers de 0 à C - 1, ou ignore_index ; au moins une ligne compte.
        ignore_index: les lignes de cette cible ne comptent ni dans la somme ni dans le nombre de lignes.

    Returns:
        un tenseur de forme (), avec un gradient ; le logarithme est le logarithme naturel.
    """
    raise NotImplementedError
