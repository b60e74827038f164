# %% [markdown] lang="en"
# ## The whole Llama
#
# A table of words, a stack of blocks, a last norm, and a layer that gives each word of the vocabulary a
# score. No table of positions: the attention of each block turns its queries and keys.

# %% [markdown] lang="fr"
# ## Le Llama complet
#
# Une table de mots, une pile de blocs, une dernière norme, et une couche qui donne un score à chaque mot du
# vocabulaire. Pas de table de positions : l'attention de chaque bloc tourne ses requêtes et ses clés.

# %%
import torch.nn as nn


class LlamaModel(nn.Module):
    """A small Llama, from ids to logits.

    Args:
        vocab_size: V, the number of words.
        dim: E, the width of the model.
        num_layers: the number of blocks, each with weights of its own.
        num_heads: H, the number of query heads of each block.
        num_kv_heads: G, the number of heads of keys and values.
        hidden_dim: F, the inner width of the gated networks.

    Its parts are called word_embeddings (an nn.Embedding), layers (the LlamaBlocks, in their order), norm (an
    RMSNorm with eps 1e-6) and lm_head, a linear layer from E to V without bias. A lm_head that shares the
    weights of word_embeddings is accepted.

    fr: Un petit Llama, des identifiants aux logits.

    Args:
        vocab_size: V, le nombre de mots.
        dim: E, la largeur du modèle.
        num_layers: le nombre de blocs, chacun avec ses propres poids.
        num_heads: H, le nombre de têtes de requêtes de chaque bloc.
        num_kv_heads: G, le nombre de têtes de clés et de valeurs.
        hidden_dim: F, la largeur intérieure des réseaux à porte.

    Ses parties s'appellent word_embeddings (un nn.Embedding), layers (les LlamaBlock, dans leur ordre), norm
    (un RMSNorm d'eps 1e-6) et lm_head, une couche linéaire de E vers V sans biais. Un lm_head qui partage les
    poids de word_embeddings est accepté.
    """

    def __init__(self, vocab_size, dim, num_layers, num_heads, num_kv_heads, hidden_dim):
        super().__init__()
        raise NotImplementedError

    def forward(self, input_ids):
        """Score every word as the next one, at each position.

        Args:
            input_ids: whole numbers below V, shape (B, S).

        Returns:
            the logits, shape (B, S, V), as they leave lm_head, without any softmax.

        fr: Donne à chaque mot un score de mot suivant, à chaque position.

        Args:
            input_ids: des entiers inférieurs à V, de forme (B, S).

        Renvoie :
            les logits, de forme (B, S, V), tels qu'ils sortent de lm_head, sans aucun softmax.
        """
        raise NotImplementedError
