# %% [markdown] lang="en"
# ## The head that finds an answer
#
# A question and a text in one input: where in the text is the answer? Each position gets two scores, as the
# first and as the last of the answer; `best_span` takes it from there.

# %% [markdown] lang="fr"
# ## La tête qui trouve une réponse
#
# Une question et un texte en une entrée : où, dans le texte, se trouve la réponse ? Chaque position reçoit
# deux scores, comme première et comme dernière de la réponse ; `best_span` fait le reste.

# %%
import torch.nn as nn


class SpanHead(nn.Module):
    """Two scores for each position: how well an answer begins there, and how well it ends there.

    Args:
        hidden_size: E, the width of what the encoder gives.

    Its layers are called start and end, both linear with bias, from E to 1. (One layer from E to 2, whose
    columns are split, computes the same and will do too.)

    fr: Deux scores par position : à quel point une réponse commence bien là, et à quel point elle finit bien
    là.

    Arguments :
        hidden_size : E, la largeur de ce que donne l'encodeur.

    Ses couches s'appellent start et end, toutes deux linéaires avec biais, de E vers 1. (Une couche de E vers
    2, dont on sépare les colonnes, calcule la même chose et convient aussi.)
    """

    def __init__(self, hidden_size):
        super().__init__()
        raise NotImplementedError

    def forward(self, hidden_states, attention_mask=None):
        """Give the scores of hidden_states, shape (B, S, E), as logits.

        Args:
            hidden_states: what the encoder gives.
            attention_mask: shape (B, S), 1 = kept, 0 = padding; None where there is none. At padding both
                logits are -inf, or at most -1e4, so that no answer begins or ends there.

        Returns:
            (start_logits, end_logits), two tensors of shape (B, S).

        fr: Donne les scores de hidden_states, de forme (B, S, E), en logits.

        Args:
            hidden_states: ce que donne l'encodeur.
            attention_mask: de forme (B, S), 1 = gardé, 0 = remplissage ; None s'il n'y en a pas. Au
                remplissage, les deux logits valent -inf, ou au plus -1e4, pour qu'aucune réponse n'y commence
                ni n'y finisse.

        Returns:
            (start_logits, end_logits), deux tenseurs de forme (B, S).
        """
        raise NotImplementedError
