# %% [markdown] lang="en"
# ## The whole MiniGPT
#
# Tokens and positions, a stack of causal blocks, and a last layer that scores every id as the next one. How
# you build it is up to you: norms before or after, positions learned or sinusoidal, ReLU or GELU. What counts
# is how it behaves.

# %% [markdown] lang="fr"
# ## Le MiniGPT complet
#
# Des tokens et des positions, une pile de blocs causaux, et une dernière couche qui donne à chaque
# identifiant un score de suivant. La construction est libre : normes avant ou après, positions apprises ou
# sinusoïdales, ReLU ou GELU. Ce qui compte, c'est le comportement.

# %%
import torch.nn as nn


class MiniGPT(nn.Module):
    """A small causal Transformer over ids.

    Args:
        vocab_size: V, the number of ids.
        block_size: the longest sequence that will come.
        n_embd: E, the width of the model, an even number for each head.
        n_head: H, the number of heads of each block.
        n_layer: the number of blocks, each with weights of its own.
        dropout: the rate of dropout, in training.

    It sees every id up to a position and none behind it, and knows in which order they came. All of its
    parameters take part.

    fr: Un petit Transformer causal sur des identifiants.

    Arguments :
        vocab_size : V, le nombre d'identifiants.
        block_size : la longueur de la plus longue séquence qui viendra.
        n_embd : E, la largeur du modèle, un nombre pair pour chaque tête.
        n_head : H, le nombre de têtes de chaque bloc.
        n_layer : le nombre de blocs, chacun avec ses propres poids.
        dropout : le taux de dropout, à l'entraînement.

    Il voit chaque identifiant jusqu'à une position et aucun au-delà, et sait dans quel ordre ils sont venus.
    Tous ses paramètres servent.
    """

    def __init__(self, vocab_size, block_size, n_embd, n_head, n_layer, dropout=0.0):
        super().__init__()
        raise NotImplementedError

    def forward(self, idx, targets=None):
        """Score every id as the next one, at each position.

        Args:
            idx: ids below V, shape (B, T), with T from 1 to block_size.
            targets: the ids that come next, shape (B, T): targets[b, t] is what follows idx[b, t]. They are
                shifted already.

        Returns:
            without targets the logits, shape (B, T, V), as they are before any softmax. With targets the pair
            (logits, loss), where loss is one number: the cross-entropy in nats, averaged over all B * T
            positions.

        fr: Donne à chaque identifiant un score de suivant, à chaque position.

        Arguments :
            idx : des identifiants inférieurs à V, de forme (B, T), avec T de 1 à block_size.
            targets : les identifiants qui suivent, de forme (B, T) : targets[b, t] est ce qui suit idx[b, t].
                Ils sont déjà décalés.

        Renvoie :
            sans targets, les logits, de forme (B, T, V), tels qu'ils sont avant tout softmax. Avec targets,
            la paire (logits, loss), où loss est un seul nombre : l'entropie croisée en nats, en moyenne sur
            les B * T positions.
        """
        raise NotImplementedError
