# %% [markdown] lang="en"
# ## The whole model
#
# Embeddings, a stack of blocks, and a last layer that gives each word of the vocabulary a score: which one
# comes next?

# %% [markdown] lang="fr"
# ## Le modèle complet
#
# Les embeddings, une pile de blocs, et une dernière couche qui donne un score à chaque mot du vocabulaire :
# lequel vient ensuite ?

# %%
import torch.nn as nn


class SimpleGPTModel(nn.Module):
    """A small GPT, from ids to logits.

    Args:
        vocab_size: V, the number of words.
        hidden_size: E, the width of the model.
        num_heads: H, the number of heads of each block.
        num_layers: the number of blocks, each with weights of its own.
        intermediate_size: the inner width of the feed-forward networks.
        max_position_embeddings: the number of positions.

    Its parts are called embeddings (a GPTEmbeddings), blocks (the GPTBlocks, in their order) and lm_head, a
    linear layer from E to V without bias. No norm stands between the last block and lm_head.

    fr: Un petit GPT, des identifiants aux logits.

    Arguments :
        vocab_size : V, le nombre de mots.
        hidden_size : E, la largeur du modèle.
        num_heads : H, le nombre de têtes de chaque bloc.
        num_layers : le nombre de blocs, chacun avec ses propres poids.
        intermediate_size : la largeur intérieure des réseaux feed-forward.
        max_position_embeddings : le nombre de positions.

    Ses parties s'appellent embeddings (un GPTEmbeddings), blocks (les GPTBlock, dans leur ordre) et lm_head,
    une couche linéaire de E vers V sans biais. Aucune norme ne sépare le dernier bloc de lm_head.
    """

    def __init__(
        self,
        vocab_size=30522,
        hidden_size=128,
        num_heads=4,
        num_layers=4,
        intermediate_size=256,
        max_position_embeddings=512,
    ):
        super().__init__()
        raise NotImplementedError

    def forward(self, input_ids, attention_mask=None):
        """Score every word as the next one, at each position.

        Args:
            input_ids: whole numbers below V, shape (B, S).
            attention_mask: shape (B, 1, S, S), 1 = allowed, 0 = hidden, for every block.

        Returns:
            the logits, shape (B, S, V), as they leave lm_head, without any softmax.

        fr: Donne à chaque mot un score de mot suivant, à chaque position.

        Arguments :
            input_ids : des entiers inférieurs à V, de forme (B, S).
            attention_mask : de forme (B, 1, S, S), 1 = autorisé, 0 = caché, pour chaque bloc.

        Renvoie :
            les logits, de forme (B, S, V), tels qu'ils sortent de lm_head, sans aucun softmax.
        """
        raise NotImplementedError
