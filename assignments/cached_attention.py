# %% [markdown] lang="en"
# ## Attention with a cache
#
# To write the next token, only its own query is new: the keys and values of all earlier tokens are what they
# were. So they are kept, and handed on from step to step. One token then costs as much as there are earlier
# ones, and not the square of it.
#
# Public code keeps the cache in three ways: in buffers of a largest size, in attributes that a `reset`
# empties, or as a pair that goes in and comes out. Here it is the pair, so that nothing is remembered between
# calls.

# %% [markdown] lang="fr"
# ## L'attention avec un cache
#
# Pour écrire le token suivant, seule sa propre requête est nouvelle : les clés et les valeurs des tokens
# précédents sont ce qu'elles étaient. On les garde donc, et on les transmet d'un pas au suivant. Un token
# coûte alors autant qu'il y en a avant lui, et non le carré de ce nombre.
#
# Le code public garde le cache de trois façons : dans des buffers d'une taille maximale, dans des attributs
# qu'un `reset` vide, ou comme une paire qui entre et qui sort. Ici, c'est la paire, si bien que rien n'est
# retenu entre deux appels.

# %%
import torch


def cached_attention(q, k, v, cache=None):
    """Attend from new positions to themselves and to those in the cache, and return the longer cache.

    Args:
        q: the queries of T new positions, shape (B, H, T, D), not turned yet; D is even.
        k: their keys, shape (B, G, T, D), not turned yet; G divides H.
        v: their values, shape (B, G, T, D).
        cache: what the last call returned as its cache: the pair (keys, values) of the P positions before,
        each of shape (B, G, P, D), the keys turned already. None at the beginning of a sequence, where
        P = 0.

    Returns:
        (output, cache): the output has the shape (B, H, T, D). The cache is the pair (keys, values) of all P
        + T positions, each of shape (B, G, P + T, D), the new ones behind the earlier ones, the keys turned.

    The new positions are P to P + T - 1. Their queries and keys are turned there, as `rotary` turns them with
    base 10000. A query sees the keys of all earlier positions and its own. Query head h uses the keys and
    values of head h // (H / G), and the scores are scaled by 1/sqrt(D). The tensors that come in keep their
    values. One new position costs time and memory that grow as P: nothing is computed for all pairs of
    positions.

    fr: Prête attention depuis de nouvelles positions à elles-mêmes et à celles du cache, et renvoie le cache
    allongé.

    Args:
        q: les requêtes de T nouvelles positions, de forme (B, H, T, D), pas encore tournées ; D est pair.
        k: leurs clés, de forme (B, G, T, D), pas encore tournées ; G divise H.
        v: leurs valeurs, de forme (B, G, T, D).
        cache: ce que l'appel précédent a renvoyé comme cache : la paire (clés, valeurs) des P positions
        d'avant, chacune de forme (B, G, P, D), les clés déjà tournées. None au début d'une séquence, où
        P = 0.

    Renvoie :
        (sortie, cache) : la sortie est de forme (B, H, T, D). Le cache est la paire (clés, valeurs) des P + T
        positions, chacune de forme (B, G, P + T, D), les nouvelles derrière les précédentes, les clés
        tournées.

    Les nouvelles positions sont P à P + T - 1. Leurs requêtes et leurs clés y sont tournées, comme le fait
    `rotary` avec la base 10000. Une requête voit les clés de toutes les positions précédentes et la sienne.
    La tête de requêtes h utilise les clés et les valeurs de la tête h // (H / G), et les scores sont mis à
    l'échelle par 1/sqrt(D). Les tenseurs reçus gardent leurs valeurs. Une nouvelle position coûte un temps et
    une mémoire qui croissent comme P : rien n'est calculé pour toutes les paires de positions.
    """
    raise NotImplementedError
