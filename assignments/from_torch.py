# %% [markdown] lang="en"
# ## PyTorch's attention, compared
#
# nn.MultiheadAttention computes what your attention of several heads computes, but keeps its weights in
# another way. With the same weights both give the same outputs: here you copy them.

# %% [markdown] lang="fr"
# ## L'attention de PyTorch, comparée
#
# nn.MultiheadAttention calcule ce que calcule votre attention à plusieurs têtes, mais range ses poids
# autrement. Avec les mêmes poids, les deux donnent les mêmes sorties : ici, vous les copiez.

# %%
import torch


def from_torch(theirs, mine):
    """Copy the weights of theirs into mine, so that mine(x) gives the output of theirs(x, x, x).

    Args:
        theirs: an nn.MultiheadAttention(embed_dim, num_heads, batch_first=True). Look at its parameters
            in_proj_weight, in_proj_bias and at its out_proj; with bias=False it has no biases.
        mine: an attention with four linear layers with bias, W_q, W_k, W_v and W_o, and as many heads, which
            are consecutive columns. It is changed in place; where theirs has no bias, its biases become 0.

    The values are copied: later changes of mine leave theirs as it is, and mine can still be trained.

    Returns:
        mine, or nothing.

    fr: Copie les poids de theirs dans mine, pour que mine(x) donne la sortie de theirs(x, x, x).

    Args:
        theirs: un nn.MultiheadAttention(embed_dim, num_heads, batch_first=True). Regardez ses paramètres
            in_proj_weight et in_proj_bias, et son out_proj ; avec bias=False, il n'a pas de biais.
        mine: une attention à quatre couches linéaires avec biais, W_q, W_k, W_v et W_o, et autant de têtes,
            qui sont des colonnes consécutives. Elle est modifiée sur place ; là où theirs n'a pas de biais,
            ses biais deviennent 0.

    Les valeurs sont copiées : des changements ultérieurs de mine laissent theirs tel quel, et mine peut
    encore être entraînée.

    Returns:
        mine, ou rien.
    """
    raise NotImplementedError
