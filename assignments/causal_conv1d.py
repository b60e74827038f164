# %% [markdown] lang="en"
# ## A causal convolution
#
# The other way to look back: not by the content of positions, as attention does, but by how far away they
# are. Each output is a weighted sum of the last K positions, with the same weights everywhere; before the
# first position there are zeros.

# %% [markdown] lang="fr"
# ## Une convolution causale
#
# L'autre façon de regarder en arrière : non d'après le contenu des positions, comme l'attention, mais d'après
# leur distance. Chaque sortie est une somme pondérée des K dernières positions, avec les mêmes poids
# partout ; avant la première position, il y a des zéros.

# %%
import torch


def causal_conv1d(x, weight, bias=None):
    """out[b, t, o] = bias[o] + the sum over i and k of weight[o, i, k] * x[b, t - (K - 1) + k, i].

    Args:
        x: shape (B, S, I); positions before the first are zeros.
        weight: shape (O, I, K), in the layout of nn.Conv1d; the last of the K taps acts on position t itself,
            the first on the oldest. The kernel is not flipped. K may exceed S.
        bias: None, or shape (O,).

    Returns:
        shape (B, S, O): as many positions as x, none of which depends on a later one.

    fr: sortie[b, t, o] = bias[o] + la somme sur i et k de weight[o, i, k] * x[b, t - (K - 1) + k, i].

    Args:
        x: de forme (B, S, I) ; les positions avant la première sont des zéros.
        weight: de forme (O, I, K), rangé comme dans nn.Conv1d ; le dernier des K coefficients agit sur la
            position t elle-même, le premier sur la plus ancienne. Le noyau n'est pas retourné. K peut
            dépasser S.
        bias: None, ou de forme (O,).

    Returns:
        la forme (B, S, O) : autant de positions que x, dont aucune ne dépend d'une position ultérieure.
    """
    raise NotImplementedError
