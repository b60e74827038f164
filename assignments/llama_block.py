# %% [markdown] lang="en"
# ## The Llama block
#
# Attention, then the gated network. A norm stands before each of the two, and what goes into the norm is
# added to the answer (pre-norm): the sum itself is never normalised.

# %% [markdown] lang="fr"
# ## Le bloc Llama
#
# L'attention, puis le réseau à porte. Une norme précède chacun des deux, et ce qui entre dans la norme
# s'ajoute à la réponse (pre-norm) : la somme elle-même n'est jamais normalisée.

# %%
import torch.nn as nn


class LlamaBlock(nn.Module):
    """One block with a norm before each part (pre-norm), and no dropout.

    Args:
        dim: E, the width of the input and of the output.
        num_heads: H, the number of query heads.
        num_kv_heads: G, the number of heads of keys and values.
        hidden_dim: F, the inner width of the gated network.

    Its parts are called attention_norm (an RMSNorm with eps 1e-6), attention (a GroupedQueryAttention),
    ffn_norm (another RMSNorm) and feed_forward (a SwiGLU). First h = x + attention(attention_norm(x)), then
    h + feed_forward(ffn_norm(h)).

    fr: Un bloc avec une norme avant chaque partie (pre-norm), sans dropout.

    Args:
        dim: E, la largeur de l'entrée et de la sortie.
        num_heads: H, le nombre de têtes de requêtes.
        num_kv_heads: G, le nombre de têtes de clés et de valeurs.
        hidden_dim: F, la largeur intérieure du réseau à porte.

    Ses parties s'appellent attention_norm (un RMSNorm d'eps 1e-6), attention (un GroupedQueryAttention),
    ffn_norm (un autre RMSNorm) et feed_forward (un SwiGLU). D'abord h = x + attention(attention_norm(x)),
    puis h + feed_forward(ffn_norm(h)).
    """

    def __init__(self, dim, num_heads, num_kv_heads, hidden_dim):
        super().__init__()
        raise NotImplementedError

    def forward(self, x):
        """Apply the block to x, shape (B, S, E), and return the same shape.

        fr: Applique le bloc à x, de forme (B, S, E), et renvoie la même forme.
        """
        raise NotImplementedError
