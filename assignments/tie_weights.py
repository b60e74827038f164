# %% [markdown] lang="en"
# ## One table for two ends
#
# A language model reads ids with a table, a row for each word, and writes with a matrix that has a row for
# each word, too. GPT uses one for both: fewer parameters, and what is learned of a word at one end serves the
# other. Two parameters with equal values are something else: each learns by itself, and soon they differ.

# %% [markdown] lang="fr"
# ## Une table pour deux bouts
#
# Un modèle de langage lit des identifiants avec une table, une ligne par mot, et écrit avec une matrice qui
# a, elle aussi, une ligne par mot. GPT se sert de la même pour les deux : moins de paramètres, et ce qui
# s'apprend d'un mot à un bout sert à l'autre. Deux paramètres de valeurs égales sont autre chose : chacun
# apprend de son côté, et bientôt ils diffèrent.

# %%
import torch
from torch import nn


def tie_weights(model):
    """Make the table of a language model and the matrix of its output layer one parameter.

    Args:
        model: a module with `model.embedding`, an nn.Embedding(V, E), and `model.lm_head`, an nn.Linear(E, V)
            without bias; model(ids) looks ids up in the one, and ends with the other. It has more layers
            between them, which stay as they are.

    Returns:
        the model, which is changed itself. Both ends use one parameter of shape (V, E): it counts once, its
        gradient is the sum of what comes from both ends, and it is trained. Its values are those that the
        table has at the call, or those that the matrix has: either is right.

    fr: Fait de la table d'un modèle de langage et de la matrice de sa dernière couche un seul paramètre.

    Args:
        model: un module avec `model.embedding`, un nn.Embedding(V, E), et `model.lm_head`, un nn.Linear(E, V)
            sans biais ; model(ids) cherche les identifiants dans l'un et finit par l'autre. Il a d'autres
            couches entre les deux, qui restent telles quelles.

    Returns:
        le modèle, modifié lui-même. Les deux bouts se servent d'un seul paramètre de forme (V, E) : il compte
        une fois, son gradient est la somme de ce qui vient des deux bouts, et il s'entraîne. Ses valeurs sont
        celles qu'a la table au moment de l'appel, ou celles qu'a la matrice : les deux sont justes.
    """
    raise NotImplementedError
