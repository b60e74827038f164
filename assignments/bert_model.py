# %% [markdown] lang="en"
# ## The whole model
#
# Embeddings, then the encoder. Sequences of several lengths share a batch: the padding of the
# short ones is masked.

# %% [markdown] lang="fr"
# ## Le modèle entier
#
# Les embeddings, puis l'encodeur. Des séquences de longueurs diverses partagent un lot : le remplissage des
# courtes est masqué.

# %%
import torch.nn as nn


class SimpleBertModel(nn.Module):
    """BERT without a head: from words to one vector per position.

    Args:
        vocab_size: V, the number of words.
        hidden_size: E, the width of all vectors.
        num_heads: H, the number of heads of each layer.
        num_layers: the number of layers.
        intermediate_size: F, the inner width of each layer.
        max_position_embeddings: the length of the longest sequence.
        type_vocab_size: the number of segments.

    Its parts are called embeddings (a BertEmbeddings) and encoder (a BertEncoder).

    fr: BERT sans tête : des mots à un vecteur par position.

    Args:
        vocab_size: V, le nombre de mots.
        hidden_size: E, la largeur de tous les vecteurs.
        num_heads: H, le nombre de têtes de chaque couche.
        num_layers: le nombre de couches.
        intermediate_size: F, la largeur intérieure de chaque couche.
        max_position_embeddings: la longueur de la plus longue séquence.
        type_vocab_size: le nombre de segments.

    Ses parties s'appellent embeddings (un BertEmbeddings) et encoder (un BertEncoder).
    """

    def __init__(
        self,
        vocab_size=30522,
        hidden_size=128,
        num_heads=4,
        num_layers=4,
        intermediate_size=256,
        max_position_embeddings=512,
        type_vocab_size=2,
    ):
        super().__init__()
        raise NotImplementedError

    def forward(self, input_ids, token_type_ids=None, attention_mask=None):
        """Read sequences in both directions.

        Args:
            input_ids: shape (B, S), whole numbers from 0 to V - 1.
            token_type_ids: shape (B, S), the segment of each word; None means segment 0 everywhere.
            attention_mask: shape (B, S), whole numbers: 1 = kept, 0 = padding, to which no position attends;
                None keeps all. What the model answers at padding does not matter.

        Returns:
            shape (B, S, E).

        fr: Lit des séquences dans les deux sens.

        Args:
            input_ids: forme (B, S), des entiers de 0 à V - 1.
            token_type_ids: forme (B, S), le segment de chaque mot ; None veut dire partout le segment 0.
            attention_mask: forme (B, S), des entiers : 1 = gardé, 0 = remplissage, qu'aucune position ne
                regarde ; None garde tout. Ce que le modèle répond au remplissage n'importe pas.

        Returns:
            forme (B, S, E).
        """
        raise NotImplementedError
