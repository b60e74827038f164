# %% [markdown] lang="en"
# ## The head that does it most
#
# Twelve layers of twelve heads: which one looks at the word before, which one at the first token? With a
# score for each head, the question has one answer.

# %% [markdown] lang="fr"
# ## La tête qui le fait le plus
#
# Douze couches de douze têtes : laquelle regarde le mot précédent, laquelle le premier token ? Avec un score
# par tête, la question a une seule réponse.

# %%
import torch


def strongest(attentions, kind):
    """Find the head of a model that does one thing most.

    Args:
        attentions: a tuple with a tensor for each layer, shape (B, H, S, S) with S of at least 2, as
            output_attentions gives it for B sequences; each row sums to 1.
        kind: "previous", "first", "self" or "entropy": which of the four scores of head_scores counts. The
            score of a head is its mean over the B sequences.

    Returns:
        the pair (layer, head), two ints, both from 0: the head with the highest score; for "entropy", the one
        with the lowest, which is surest of where it looks. Among equal heads, the one in the lowest layer
        counts, and in that layer the first.

    fr: Trouve la tête d'un modèle qui fait le plus une chose donnée.

    Args:
        attentions: un tuple avec un tenseur par couche, de forme (B, H, S, S) avec S d'au moins 2, tel que le
            donne output_attentions pour B séquences ; chaque ligne a pour somme 1.
        kind: "previous", "first", "self" ou "entropy" : lequel des quatre scores de head_scores compte. Le
            score d'une tête est sa moyenne sur les B séquences.

    Returns:
        la paire (layer, head), deux int, à partir de 0 : la tête de plus haut score ; pour "entropy", celle
        de plus bas score, la plus sûre de ce qu'elle regarde. Entre têtes égales, celle de la couche la plus
        basse compte, et dans cette couche la première.
    """
    raise NotImplementedError
