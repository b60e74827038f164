# %% [markdown] lang="en"
# ## The GPT block
#
# Causal attention, then the feed-forward network. What goes into a part is added to its answer, and a norm
# follows each sum (post-norm). Nothing else is attended to: there is no encoder.

# %% [markdown] lang="fr"
# ## Le bloc GPT
#
# L'attention causale, puis le réseau feed-forward. Ce qui entre dans une partie s'ajoute à sa réponse, et une
# norme suit chaque somme (post-norm). Rien d'autre ne reçoit l'attention : il n'y a pas d'encodeur.

# %%
import torch.nn as nn


class GPTBlock(nn.Module):
    """One block with the norms behind the sums (post-norm).

    Args:
        hidden_size: E, the width of the input and of the output.
        num_heads: H, the number of heads.
        intermediate_size: the inner width of the feed-forward network.

    Its parts are called attn, attn_layer_norm, ff and ff_layer_norm; both norms have eps 1e-5. First
    h = attn_layer_norm(x + attn(x)), then ff_layer_norm(h + ff(h)). Dropout with a rate of 0.1 acts on the
    answers of attn and ff, in training only.

    fr: Un bloc dont les normes suivent les sommes (post-norm).

    Arguments :
        hidden_size : E, la largeur de l'entrée et de la sortie.
        num_heads : H, le nombre de têtes.
        intermediate_size : la largeur intérieure du réseau feed-forward.

    Ses parties s'appellent attn, attn_layer_norm, ff et ff_layer_norm ; les deux normes ont eps 1e-5. D'abord
    h = attn_layer_norm(x + attn(x)), puis ff_layer_norm(h + ff(h)). Un dropout de taux 0.1 agit sur les
    réponses d'attn et de ff, à l'entraînement seulement.
    """

    def __init__(self, hidden_size, num_heads, intermediate_size):
        super().__init__()
        raise NotImplementedError

    def forward(self, hidden_states, attention_mask=None):
        """Apply the block to hidden_states, shape (B, S, E), under a mask as for the attention.

        Returns:
            shape (B, S, E), one tensor.

        fr: Applique le bloc à hidden_states, de forme (B, S, E), sous un masque comme celui de l'attention.

        Renvoie :
            la forme (B, S, E), un seul tenseur.
        """
        raise NotImplementedError
