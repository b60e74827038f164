# %% [markdown] lang="en"
# ## A class for each word
#
# Is this word the name of a person, of a place? Each position gets scores of its own. Some have no label: the
# special ids, padding, and all pieces of a word but its first.

# %% [markdown] lang="fr"
# ## Une classe par mot
#
# Ce mot est-il le nom d'une personne, d'un lieu ? Chaque position reçoit ses propres scores. Certaines n'ont
# pas de label : les identifiants spéciaux, le remplissage, et tous les morceaux d'un mot sauf le premier.

# %%
import torch.nn as nn


class TokenClassifier(nn.Module):
    """A score for each class at each position: dropout, one linear layer; and a loss, if labels are given.

    Args:
        hidden_size: E, the width of what the encoder gives.
        num_labels: C, the number of classes.
        dropout: the rate of the dropout in front of the layer; it acts in training only.

    The layer, with bias, is called classifier.

    fr: Un score par classe à chaque position : un dropout, puis une couche linéaire ; et une perte, si des
    labels sont donnés.

    Arguments :
        hidden_size : E, la largeur de ce que donne l'encodeur.
        num_labels : C, le nombre de classes.
        dropout : le taux du dropout devant la couche ; il n'agit qu'à l'entraînement.

    La couche, avec biais, s'appelle classifier.
    """

    def __init__(self, hidden_size, num_labels, dropout=0.1):
        super().__init__()
        raise NotImplementedError

    def forward(self, hidden_states, labels=None):
        """Classify each position of hidden_states, shape (B, S, E).

        Args:
            hidden_states: what the encoder gives.
            labels: int64 of shape (B, S): the class of each position, -100 where it has none; or None.

        Returns:
            without labels the logits, shape (B, S, C). With labels the pair (logits, loss): the loss is the
            mean cross-entropy, in nats, over all positions of the batch that have a label, each counting
            alike.

        fr: Classe chaque position de hidden_states, de forme (B, S, E).

        Args:
            hidden_states: ce que donne l'encodeur.
            labels: int64 de forme (B, S) : la classe de chaque position, -100 si elle n'en a pas ; ou None.

        Returns:
            sans labels, les logits, de forme (B, S, C). Avec labels, la paire (logits, loss) : la perte est
            l'entropie croisée moyenne, en nats, sur toutes les positions du lot qui ont un label, chacune
            comptant autant.
        """
        raise NotImplementedError
