# %% [markdown] lang="en"
# ## Grouped-query attention
#
# The attention of Llama: causal, with rotary positions, and with fewer heads of keys and values than of
# queries. Neighbouring query heads share one head of keys and values, so that much less has to be kept for
# each token.
#
# In public code, a number of "kv groups" means either how many heads of keys and values there are, or how
# many query heads share one. Here `num_kv_heads` is the number of heads of keys and values.

# %% [markdown] lang="fr"
# ## L'attention à requêtes groupées
#
# L'attention de Llama : causale, avec des positions rotatives, et avec moins de têtes de clés et de valeurs
# que de requêtes. Des têtes de requêtes voisines partagent une tête de clés et de valeurs, si bien qu'il y a
# beaucoup moins à garder pour chaque token.
#
# Dans le code public, un nombre de « kv groups » désigne soit le nombre de têtes de clés et de valeurs, soit
# le nombre de têtes de requêtes qui en partagent une. Ici, `num_kv_heads` est le nombre de têtes de clés et
# de valeurs.

# %%
import torch
import torch.nn as nn


class GroupedQueryAttention(nn.Module):
    """Causal self-attention with rotary positions, whose query heads share keys and values.

    Args:
        dim: E, the width of the input and of the output.
        num_heads: H, the number of query heads; each is D = E / H wide, and D is even.
        num_kv_heads: G, the number of heads of keys and of values, of the same width D.

    Raises an error at construction if H does not divide E, or G does not divide H. Its linear layers, all
    without bias, are called q_proj, from E to H*D, k_proj and v_proj, from E to G*D, and o_proj, from H*D to
    E. Head h works on the columns h*D to (h+1)*D. Query head h uses the keys and values of head h // (H / G).
    Queries and keys, and not the values, are turned as `rotary` turns them, with base 10000 and positions
    from 0. The scores are scaled by 1/sqrt(D), and no position sees a later one.

    fr: Auto-attention causale à positions rotatives, dont les têtes de requêtes partagent clés et valeurs.

    Args:
        dim: E, la largeur de l'entrée et de la sortie.
        num_heads: H, le nombre de têtes de requêtes ; chacune est de largeur D = E / H, et D est pair.
        num_kv_heads: G, le nombre de têtes de clés et de valeurs, de la même largeur D.

    Lève une erreur à la construction si H ne divise pas E, ou si G ne divise pas H. Ses couches linéaires,
    toutes sans biais, s'appellent q_proj, de E vers H*D, k_proj et v_proj, de E vers G*D, et o_proj, de H*D
    vers E. La tête h travaille sur les colonnes h*D à (h+1)*D. La tête de requêtes h utilise les clés et les
    valeurs de la tête h // (H / G). Les requêtes et les clés, mais non les valeurs, sont tournées comme le
    fait `rotary`, avec la base 10000 et des positions à partir de 0. Les scores sont mis à l'échelle par
    1/sqrt(D), et aucune position n'en voit une ultérieure.
    """

    def __init__(self, dim, num_heads, num_kv_heads):
        super().__init__()
        raise NotImplementedError

    def forward(self, x):
        """Let every position of x, shape (B, S, E), attend to itself and to earlier ones; (B, S, E) comes
        back.

        fr: Laisse chaque position de x, de forme (B, S, E), prêter attention à elle-même et aux précédentes ;
        renvoie (B, S, E).
        """
        raise NotImplementedError
