# %% [markdown] lang="en"
# ## The head that fills gaps
#
# BERT learns by guessing words that were masked. A small head turns what the encoder gives at a position into
# a score for each word. It has no table of its own: it compares with the table of the words' embeddings.

# %% [markdown] lang="fr"
# ## La tête qui remplit les trous
#
# BERT apprend en devinant des mots masqués. Une petite tête change ce que donne l'encodeur à une position en
# un score pour chaque mot. Elle n'a pas de table à elle : elle compare avec la table des embeddings des mots.

# %%
import torch.nn as nn


class MaskedLMHead(nn.Module):
    """A score for each word at each position: dense, GELU, LayerNorm, then the table of words and a bias.

    Args:
        vocab_size: V, the number of words.
        hidden_size: E, the width.

    The parts are called dense (a linear layer with bias, E to E), LayerNorm (eps 1e-12) and bias (shape (V,),
    zeros at the beginning). The weight of the last layer is no parameter of the head: it is the table of the
    embeddings, which each call is given. So both learn together, and the head is small.

    fr: Un score pour chaque mot à chaque position : dense, GELU, LayerNorm, puis la table des mots et un
    biais.

    Arguments :
        vocab_size : V, le nombre de mots.
        hidden_size : E, la largeur.

    Les parties s'appellent dense (une couche linéaire avec biais, de E vers E), LayerNorm (eps 1e-12) et bias
    (de forme (V,), des zéros au départ). Le poids de la dernière couche n'est pas un paramètre de la tête :
    c'est la table des embeddings, donnée à chaque appel. Ainsi les deux apprennent ensemble, et la tête reste
    petite.
    """

    def __init__(self, vocab_size, hidden_size):
        super().__init__()
        raise NotImplementedError

    def forward(self, hidden_states, embedding_weight):
        """Give logits (B, S, V) for hidden_states (B, S, E) and embedding_weight, the table (V, E).

        The logit of a word is the scalar product of its row in the table with the transformed position, plus
        the word's bias. No softmax acts.

        fr: Donne les logits (B, S, V) pour hidden_states (B, S, E) et embedding_weight, la table (V, E).

        Le logit d'un mot est le produit scalaire de sa ligne dans la table et de la position transformée,
        plus le biais du mot. Aucun softmax n'agit.
        """
        raise NotImplementedError
