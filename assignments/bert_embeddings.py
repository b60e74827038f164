# %% [markdown] lang="en"
# ## The embeddings
#
# A word, its place and the sentence it belongs to each have a vector. BERT adds the three and normalises the
# sum.

# %% [markdown] lang="fr"
# ## Les embeddings
#
# Un mot, sa place et la phrase à laquelle il appartient ont chacun un vecteur. BERT additionne les trois et
# normalise la somme.

# %%
import torch.nn as nn


class BertEmbeddings(nn.Module):
    """Vectors for words at their positions in their segments.

    Args:
        vocab_size: V, the number of words.
        hidden_size: E, the width of all vectors.
        max_position_embeddings: the length of the longest sequence.
        type_vocab_size: the number of segments.

    The tables word_embeddings, position_embeddings and token_type_embeddings are learned. Their sum goes
    through LayerNorm, a layer norm over the features with eps 1e-12, and in training through a dropout with
    rate 0.1.

    fr: Des vecteurs pour des mots à leur position, dans leur segment.

    Args:
        vocab_size: V, le nombre de mots.
        hidden_size: E, la largeur de tous les vecteurs.
        max_position_embeddings: la longueur de la plus longue séquence.
        type_vocab_size: le nombre de segments.

    Les tables word_embeddings, position_embeddings et token_type_embeddings sont apprises. Leur somme passe
    par LayerNorm, une normalisation sur les composantes avec eps 1e-12, et à l'entraînement par un dropout de
    taux 0.1.
    """

    def __init__(self, vocab_size, hidden_size, max_position_embeddings, type_vocab_size):
        super().__init__()
        raise NotImplementedError

    def forward(self, input_ids, token_type_ids=None):
        """Embed words.

        Args:
            input_ids: shape (B, S), whole numbers from 0 to V - 1; the first position of a sequence is 0.
            token_type_ids: shape (B, S), the segment of each word; None means segment 0 everywhere.

        Returns:
            shape (B, S, E).

        fr: Donne les vecteurs des mots.

        Args:
            input_ids: forme (B, S), des entiers de 0 à V - 1 ; la première position d'une séquence est 0.
            token_type_ids: forme (B, S), le segment de chaque mot ; None veut dire partout le segment 0.

        Returns:
            forme (B, S, E).
        """
        raise NotImplementedError
