# %% [markdown] lang="en"
# ## The whole model
#
# An encoder reads the source, and a decoder writes the target: at each position it sees what it has written
# so far, and all that the encoder has made of the source.
#
# The architecture is free: norms before or after, learned or sinusoidal positions, layers of your own or of
# PyTorch. What is judged is what the model does.

# %% [markdown] lang="fr"
# ## Le modèle entier
#
# Un encodeur lit la source, et un décodeur écrit la cible : à chaque position, il voit ce qu'il a écrit
# jusque-là, et tout ce que l'encodeur a fait de la source.
#
# L'architecture est libre : normes avant ou après, positions apprises ou sinusoïdales, couches à vous ou de
# PyTorch. Ce qui est jugé, c'est ce que fait le modèle.

# %%
import torch.nn as nn


class Seq2Seq(nn.Module):
    """A small encoder-decoder Transformer over ids.

    Args:
        src_vocab: the number of ids of the source.
        tgt_vocab: V, the number of ids of the target. The two vocabularies have nothing to do with each
            other.
        embed_dim: E, the width of the model, an even number for each head.
        num_heads: H, the number of heads of each attention.
        num_layers: the number of the encoder's layers, and of the decoder's, each with weights of its own.
        max_len: the longest source and the longest target that will come.
        dropout: the rate of dropout, in training.

    Each position of the memory has seen the whole source. The logits at a position know the whole source, and
    the target up to that position but not behind it. Both know in which order ids came. All parameters take
    part.

    fr: Un petit Transformer encodeur-décodeur sur des identifiants.

    Args:
        src_vocab: le nombre d'identifiants de la source.
        tgt_vocab: V, le nombre d'identifiants de la cible. Les deux vocabulaires n'ont rien à voir l'un avec
            l'autre.
        embed_dim: E, la largeur du modèle, un nombre pair pour chaque tête.
        num_heads: H, le nombre de têtes de chaque attention.
        num_layers: le nombre de couches de l'encodeur, et du décodeur, chacune avec ses propres poids.
        max_len: la longueur de la plus longue source et de la plus longue cible qui viendront.
        dropout: le taux de dropout, à l'entraînement.

    Chaque position de la mémoire a vu toute la source. Les logits d'une position connaissent toute la source,
    et la cible jusqu'à cette position mais pas au-delà. Les deux savent dans quel ordre les identifiants sont
    venus. Tous les paramètres servent.
    """

    def __init__(self, src_vocab, tgt_vocab, embed_dim, num_heads, num_layers, max_len, dropout=0.0):
        super().__init__()
        raise NotImplementedError

    def encode(self, src, src_mask=None):
        """Read the source.

        Args:
            src: ids, shape (B, Ss).
            src_mask: None, or a bool tensor of shape (B, 1, 1, Ss), True = masked: what is padding in the
                source.

        Returns:
            the memory, shape (B, Ss, E).

        fr: Lit la source.

        Args:
            src: des identifiants, de forme (B, Ss).
            src_mask: None, ou un tenseur bool de forme (B, 1, 1, Ss), True = masqué : ce qui est du padding
                dans la source.

        Returns:
            la mémoire, de forme (B, Ss, E).
        """
        raise NotImplementedError

    def decode(self, tgt, memory, src_mask=None):
        """Score every id as the next one, at each position of the target.

        Args:
            tgt: ids, shape (B, St). They are shifted right already: the logits at a position are for what
                follows the id there.
            memory: shape (B, Ss, E), from encode.
            src_mask: as for encode.

        Returns:
            the logits, shape (B, St, V), a score for each id, as nn.CrossEntropyLoss takes them: before any
            softmax. Log-probabilities are such scores too, since a log_softmax changes nothing in that loss.

        fr: Donne à chaque identifiant un score de suivant, à chaque position de la cible.

        Args:
            tgt: des identifiants, de forme (B, St). Ils sont déjà décalés vers la droite : les logits d'une
                position portent sur ce qui suit l'identifiant qui s'y trouve.
            memory: de forme (B, Ss, E), rendue par encode.
            src_mask: comme pour encode.

        Returns:
            les logits, de forme (B, St, V), un score par identifiant, comme les prend nn.CrossEntropyLoss :
            avant tout softmax. Des log-probabilités sont aussi de tels scores, car un log_softmax ne change
            rien à cette perte.
        """
        raise NotImplementedError

    def forward(self, src, tgt, src_mask=None):
        """Encode the source and decode the target.

        Returns:
            the logits of decode, shape (B, St, V). What src_mask hides of the source has no influence on
            them.

        fr: Encode la source et décode la cible.

        Returns:
            les logits de decode, de forme (B, St, V). Ce que src_mask cache de la source n'a aucune influence
            sur eux.
        """
        raise NotImplementedError
