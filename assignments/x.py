# %% [markdown] lang="en"
# ## x
#
# What this is for, in a sentence.

# %% [markdown] lang="fr"
# ## x
#
# À quoi cela sert, en une phrase.

# %%
import torch


def x(x):
    """Subtract from each position the mean of its values.

    Args:
        x: the input, shape (B, S, E).

    Returns:
        the same shape.

    fr: Soustrait à chaque position la moyenne de ses valeurs.

    Args:
        x: l'entrée, de forme (B, S, E).

    Returns:
        la même forme.
    """
    raise NotImplementedError
