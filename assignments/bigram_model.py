# %% [markdown] lang="en"
# ## The bigram model
#
# The simplest language model there is: it predicts the next character from the current one alone. It is one
# table, and the baseline for all that follows.

# %% [markdown] lang="fr"
# ## Le modèle bigramme
#
# Le modèle de langage le plus simple qui soit : le caractère suivant est prédit à partir du seul caractère
# actuel. C'est une table, et la mesure de tout ce qui suit.

# %%
import torch.nn as nn


class BigramLanguageModel(nn.Module):
    """A language model of one table: row i scores what follows id i.

    Args:
        vocab_size: V, the number of ids.

    Its only layer is called token_embedding_table, an nn.Embedding of V rows and V columns.

    fr: Un modèle de langage en une table : la ligne i donne un score à ce qui suit l'identifiant i.

    Arguments :
        vocab_size : V, le nombre d'identifiants.

    Sa seule couche s'appelle token_embedding_table, un nn.Embedding à V lignes et V colonnes.
    """

    def __init__(self, vocab_size):
        super().__init__()
        raise NotImplementedError

    def forward(self, idx, targets=None):
        """Score every id as the next one, at each position.

        Args:
            idx: ids below V, shape (B, T).
            targets: the ids that come next, shape (B, T): targets[b, t] is what follows idx[b, t]. They are
                shifted already.

        Returns:
            without targets the logits, shape (B, T, V). With targets the pair (logits, loss), where loss is
            one number: the cross-entropy in nats, averaged over all B * T positions.

        fr: Donne à chaque identifiant un score de suivant, à chaque position.

        Arguments :
            idx : des identifiants inférieurs à V, de forme (B, T).
            targets : les identifiants qui suivent, de forme (B, T) : targets[b, t] est ce qui suit idx[b, t].
                Ils sont déjà décalés.

        Renvoie :
            sans targets, les logits, de forme (B, T, V). Avec targets, la paire (logits, loss), où loss est
            un seul nombre : l'entropie croisée en nats, en moyenne sur les B * T positions.
        """
        raise NotImplementedError
