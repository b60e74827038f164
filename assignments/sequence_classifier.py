# %% [markdown] lang="en"
# ## A class for each sentence
#
# The first use of BERT: is a review kind, does one sentence follow from another? The pooler makes one vector
# of the text, and one layer makes scores of it.

# %% [markdown] lang="fr"
# ## Une classe par phrase
#
# Le premier usage de BERT : une critique est-elle favorable, une phrase découle-t-elle d'une autre ? Le
# pooler fait du texte un seul vecteur, et une couche en fait des scores.

# %%
import torch.nn as nn


class SequenceClassifier(nn.Module):
    """A score for each class: the pooler of the exercise before, dropout, one linear layer.

    Args:
        hidden_size: E, the width of what the encoder gives.
        num_labels: C, the number of classes.
        dropout: the rate of the dropout between the pooler and the layer; it acts in training only.

    The parts are called pooler (a BertPooler) and classifier (a linear layer with bias, from E to C).

    fr: Un score par classe : le pooler de l'exercice précédent, un dropout, une couche linéaire.

    Arguments :
        hidden_size : E, la largeur de ce que donne l'encodeur.
        num_labels : C, le nombre de classes.
        dropout : le taux du dropout entre le pooler et la couche ; il n'agit qu'à l'entraînement.

    Les parties s'appellent pooler (un BertPooler) et classifier (une couche linéaire avec biais, de E vers
    C).
    """

    def __init__(self, hidden_size, num_labels, dropout=0.1):
        super().__init__()
        raise NotImplementedError

    def forward(self, hidden_states):
        """Give logits (B, C) for hidden_states (B, S, E). No softmax acts.

        fr: Donne les logits (B, C) pour hidden_states (B, S, E). Aucun softmax n'agit.
        """
        raise NotImplementedError
