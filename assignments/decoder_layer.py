# %% [markdown] lang="en"
# ## A layer of the decoder
#
# Self-attention, then attention to what the encoder has made of the source, then the feed-forward network: a
# layer norm before each, and the output of each is added to its input.

# %% [markdown] lang="fr"
# ## Une couche du décodeur
#
# L'auto-attention, puis l'attention à ce que l'encodeur a fait de la source, puis le réseau feed-forward :
# une layer norm avant chacun, et la sortie de chacun s'ajoute à son entrée.

# %%
import torch.nn as nn


class DecoderLayer(nn.Module):
    """One layer of a decoder with the norms in front (pre-norm).

    Args:
        embed_dim: E, the width of the input, of the memory and of the output.
        num_heads: H, the number of heads of both attentions.
        ff_dim: the inner width of the feed-forward network; 4 * E if it is not given.
        dropout: the rate of the dropout, which acts in training only.

    Its parts are called self_attention, cross_attention, feed_forward, norm1, norm2 and norm3. First the
    self-attention of norm1(x) is added to x. Then the attention from norm2 of that sum to the memory is added
    to it, then the feed-forward network of norm3 of the new sum. The memory has no norm of its own here.

    fr: Une couche de décodeur dont les normes viennent avant les parties (pre-norm).

    Args:
        embed_dim: E, la largeur de l'entrée, de la mémoire et de la sortie.
        num_heads: H, le nombre de têtes des deux attentions.
        ff_dim: la largeur intérieure du réseau feed-forward ; 4 * E si elle n'est pas donnée.
        dropout: le taux du dropout, qui n'agit qu'à l'entraînement.

    Ses parties s'appellent self_attention, cross_attention, feed_forward, norm1, norm2 et norm3. D'abord,
    l'auto-attention de norm1(x) s'ajoute à x. Puis s'y ajoute l'attention de norm2 de cette somme vers la
    mémoire, puis le réseau feed-forward de norm3 de la nouvelle somme. Ici, la mémoire n'a pas de norme à
    elle.
    """

    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__()
        raise NotImplementedError

    def forward(self, x, memory, mask=None, memory_mask=None):
        """Apply the layer to x.

        Args:
            x: shape (B, St, E).
            memory: shape (B, Ss, E), the encoder's output.
            mask: None, or a bool tensor that broadcasts to (B, H, St, St), for the self-attention; True =
                masked. A causal mask is given here too: nothing is causal without one.
            memory_mask: None, or a bool tensor that broadcasts to (B, H, St, Ss), for the cross-attention;
                True = masked.

        Returns:
            shape (B, St, E).

        fr: Applique la couche à x.

        Args:
            x: de forme (B, St, E).
            memory: de forme (B, Ss, E), la sortie de l'encodeur.
            mask: None, ou un tenseur bool qui s'étend à (B, H, St, St), pour l'auto-attention ; True =
                masqué. C'est ici qu'on donne aussi un masque causal : rien n'est causal sans lui.
            memory_mask: None, ou un tenseur bool qui s'étend à (B, H, St, Ss), pour l'attention croisée ;
                True = masqué.

        Returns:
            un tenseur de forme (B, St, E).
        """
        raise NotImplementedError
