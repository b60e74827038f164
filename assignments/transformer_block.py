# %% [markdown] lang="en"
# ## The Transformer block
#
# Attention and the feed-forward network: a layer norm before each, and the output of each is added to its
# input.

# %% [markdown] lang="fr"
# ## Le bloc Transformer
#
# L'attention et le réseau feed-forward : une layer norm avant chacun, et la sortie de chacun s'ajoute à
# son entrée.

# %%
import torch.nn as nn


class TransformerBlock(nn.Module):
    """One block with the norms in front (pre-norm).

    Args:
        embed_dim: E, the width of the input and of the output.
        num_heads: H, the number of heads.
        ff_dim: the inner width of the feed-forward network; 4 * E if it is not given.
        dropout: the rate of the dropout, which acts in training only.

    Its parts are called attention, feed_forward, norm1 and norm2. With a = attention(norm1(x)):
    first x + a, then the feed-forward network of norm2 of that, added to it again.

    fr: Un bloc dont les normes viennent avant les parties (pre-norm).

    Args:
        embed_dim: E, la largeur de l'entrée et de la sortie.
        num_heads: H, le nombre de têtes.
        ff_dim: la largeur intérieure du réseau feed-forward ; 4 * E si elle n'est pas donnée.
        dropout: le taux du dropout, qui n'agit qu'à l'entraînement.

    Ses parties s'appellent attention, feed_forward, norm1 et norm2. Avec a = attention(norm1(x)) :
    d'abord x + a, puis le réseau feed-forward de norm2 de cette somme, ajouté encore à elle.
    """

    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__()
        raise NotImplementedError

    def forward(self, x, mask=None):
        """Apply the block to x, shape (B, S, E), under a mask as for MultiHeadAttention.

        Returns:
            shape (B, S, E).

        fr: Applique le bloc à x, de forme (B, S, E), sous un masque comme pour MultiHeadAttention.

        Returns:
            un tenseur de forme (B, S, E).
        """
        raise NotImplementedError
