# %% [markdown] lang="en"
# ## Gradients by lag
#
# What can a network learn from what it read k positions ago? As much as the gradient of its last output for
# that input says. Along an RNN the gradient is multiplied once more at each position back: it vanishes, or it
# explodes. Attention sees every position in one step.

# %% [markdown] lang="fr"
# ## Les gradients selon le décalage
#
# Que peut apprendre un réseau de ce qu'il a lu k positions plus tôt ? Autant que le dit le gradient de sa
# dernière sortie pour cette entrée. Le long d'un RNN, le gradient est multiplié une fois de plus à chaque
# position en arrière : il s'évanouit, ou il explose. L'attention voit chaque position en un seul pas.

# %%
import torch


def gradient_by_lag(model, x):
    """How large the gradient of the last output is for the input at each lag.

    The gradient is that of the sum of all values of the last output, outputs[:, -1].sum(). At lag k, which is
    position S - 1 - k, take its Euclidean norm over the E values of each sequence, then the mean over the
    sequences. A second call with the same x gives the same answer.

    Args:
        model: a module; model(x) is a pair whose first element is the outputs, shape (B, S, H), as an RNN's
            or an attention's.
        x: shape (B, S, E).

    Returns:
        norms, shape (S,): norms[0] is that of the last position, norms[-1] that of the first.

    fr: La taille du gradient de la dernière sortie, pour l'entrée à chaque décalage.

    Le gradient est celui de la somme de toutes les valeurs de la dernière sortie, outputs[ :, -1].sum(). Au
    décalage k, soit la position S - 1 - k, prenez sa norme euclidienne sur les E valeurs de chaque séquence,
    puis la moyenne sur les séquences. Un second appel avec le même x donne la même réponse.

    Args:
        model: un module ; model(x) est une paire dont le premier élément est fait des sorties, de forme
            (B, S, H), comme celles d'un RNN ou d'une attention.
        x: de forme (B, S, E).

    Returns:
        normes, de forme (S,) : normes[0] est celle de la dernière position, normes[-1] celle de la première.
    """
    raise NotImplementedError
