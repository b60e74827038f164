# %% [markdown] lang="en"
# ## How GPT-2 begins
#
# The values with which a model begins decide whether it learns. GPT-2 takes small normal numbers for all
# matrices. Each block adds twice to the same stream, once from the attention and once from the feed-forward
# network: the two layers that add are drawn smaller, so that the stream does not grow with the number of
# blocks.

# %% [markdown] lang="fr"
# ## Comment commence GPT-2
#
# Les valeurs de départ d'un modèle décident s'il apprend. GPT-2 prend de petits nombres de loi normale pour
# toutes les matrices. Chaque bloc ajoute deux fois au même flux, une fois par l'attention et une fois par
# le réseau feed-forward : les deux couches qui ajoutent sont tirées plus petites, pour que le flux ne
# croisse pas avec le nombre de blocs.

# %%
import torch
import torch.nn as nn


def init_weights(model, n_layer):
    """Give a GPT the values with which GPT-2 begins, in place.

    Args:
        model: a module made of nn.Linear, nn.Embedding and nn.LayerNorm alone, with GPT-2's names:
            transformer.wte and transformer.wpe (embeddings), transformer.h (the blocks, each with ln_1,
            attn.c_attn, attn.c_proj, ln_2, mlp.c_fc, mlp.c_proj), transformer.ln_f and lm_head.
            lm_head.weight may be the same parameter as transformer.wte.weight.
        n_layer: L, the number of blocks.

    Returns:
        nothing that counts: the model itself has the new values afterwards.

    All weights of linear layers and embeddings are drawn from a normal distribution of mean 0 and standard
    deviation 0.02; those of the layers called c_proj, in the attention and in the feed-forward network,
    with 0.02 / sqrt(2 L). Biases are 0. Norms begin with a weight of 1 and a bias of 0. All numbers come
    from torch's global generator, and parameters that are shared stay shared.

    fr: Donne à un GPT les valeurs avec lesquelles commence GPT-2, en place.

    Args:
        model: un module fait uniquement de nn.Linear, nn.Embedding et nn.LayerNorm, avec les noms de GPT-2 :
            transformer.wte et transformer.wpe (embeddings), transformer.h (les blocs, chacun avec ln_1,
            attn.c_attn, attn.c_proj, ln_2, mlp.c_fc, mlp.c_proj), transformer.ln_f et lm_head.
            lm_head.weight peut être le même paramètre que transformer.wte.weight.
        n_layer: L, le nombre de blocs.

    Returns:
        rien qui compte : c'est le modèle lui-même qui a ensuite les nouvelles valeurs.

    Tous les poids des couches linéaires et des embeddings sont tirés selon une loi normale de moyenne 0 et
    d'écart type 0,02 ; ceux des couches nommées c_proj, dans l'attention et dans le réseau feed-forward, avec
    0,02 / sqrt(2 L). Les biais valent 0. Les normes commencent par un poids de 1 et un biais de 0. Tous les
    nombres viennent du générateur global de torch, et les paramètres partagés le restent.
    """
    raise NotImplementedError
