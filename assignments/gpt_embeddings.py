# %% [markdown] lang="en"
# ## Words and positions
#
# A word's vector says what it is, a position's vector where it stands. Both are learned, and GPT adds them.

# %% [markdown] lang="fr"
# ## Mots et positions
#
# Le vecteur d'un mot dit ce qu'il est, celui d'une position où il se trouve. Les deux sont appris, et GPT les
# additionne.

# %%
import torch.nn as nn


class GPTEmbeddings(nn.Module):
    """The vectors that go into the first block.

    Args:
        vocab_size: V, the number of words.
        hidden_size: E, the width of a vector.
        max_position_embeddings: how many positions there are; 512 if it is not given.

    Its parts are called word_embeddings (V rows), position_embeddings (a row for each position) and
    layer_norm (eps 1e-5). Word and position are added, then comes the norm, then dropout with a rate of 0.1,
    which acts in training only. There are no segments.

    fr: Les vecteurs qui entrent dans le premier bloc.

    Arguments :
        vocab_size : V, le nombre de mots.
        hidden_size : E, la largeur d'un vecteur.
        max_position_embeddings : le nombre de positions ; 512 s'il n'est pas donné.

    Ses parties s'appellent word_embeddings (V lignes), position_embeddings (une ligne par position) et
    layer_norm (eps 1e-5). Mot et position sont additionnés, puis vient la norme, puis un dropout de taux 0.1,
    qui n'agit qu'à l'entraînement. Il n'y a pas de segments.
    """

    def __init__(self, vocab_size, hidden_size, max_position_embeddings=512):
        super().__init__()
        raise NotImplementedError

    def forward(self, input_ids):
        """Look up words and positions.

        Args:
            input_ids: whole numbers below V, shape (B, S); the positions count from 0 in each sequence.

        Returns:
            shape (B, S, E).

        fr: Cherche les mots et les positions.

        Arguments :
            input_ids : des entiers inférieurs à V, de forme (B, S) ; les positions se comptent à partir de 0
                dans chaque séquence.

        Renvoie :
            la forme (B, S, E).
        """
        raise NotImplementedError
