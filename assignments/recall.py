# %% [markdown] lang="en"
# ## What a model still knows after k positions
#
# A symbol, then nothing for a while, then the question: what was it? An RNN has to carry the symbol through
# every position in between. Attention looks back at it, however far away it is. Measure how often a model
# recalls it, at several lags, on sequences that it has never seen. Who guesses is right once in `symbols`
# times.
#
# Count the recalled position alone: the positions in between are blank and easy to predict, and a model that
# has learned to say "blank" would look good.

# %% [markdown] lang="fr"
# ## Ce qu'un modèle sait encore après k positions
#
# Un symbole, puis rien pendant un moment, puis la question : lequel était-ce ? Un RNN doit porter le
# symbole à travers toutes les positions intermédiaires. L'attention le regarde directement, si loin qu'il
# soit. Mesurez combien de fois un modèle le retrouve, à plusieurs décalages, sur des séquences qu'il n'a
# jamais vues. Qui devine a raison une fois sur `symbols`.
#
# Ne comptez que la position de la question : les positions intermédiaires sont vides et faciles à prédire, et
# un modèle qui a appris à dire « vide » aurait l'air bon.

# %%
import torch


def recall_by_lag(model, lags, trials, symbols, seed):
    """How often a model recalls the first symbol, at each lag.

    A sequence of lag k has k + 1 ids: first the symbol, a number from 1 to symbols, all as likely; then k - 1
    blanks, which are 0; last the question, which is symbols + 1. The model has recalled the symbol if, of its
    logits at the last position, the one of the symbol is the largest.

    Args:
        model: a module; model(ids) gives logits (B, T, symbols + 2) for ids (B, T), an int64 tensor. It is
            called in evaluation mode and without gradients, and is afterwards in the mode in which it was
            before.
        lags: a list of different whole numbers, each at least 1.
        trials: how many sequences are drawn for each lag, with a symbol each.
        symbols: how many symbols there are, at least 2.
        seed: a whole number. The same seed draws the same sequences, another seed draws others.

    Returns:
        shares, shape (len(lags),): for each lag the share of its sequences, from 0 to 1, whose symbol is
        recalled.

    fr: Combien de fois un modèle retrouve le premier symbole, à chaque décalage.

    Une séquence de décalage k a k + 1 identifiants : d'abord le symbole, un nombre de 1 à symbols, tous aussi
    probables ; puis k - 1 vides, qui sont 0 ; enfin la question, qui est symbols + 1. Le modèle a retrouvé le
    symbole si, parmi ses logits à la dernière position, celui du symbole est le plus grand.

    Args:
        model: un module ; model(ids) donne des logits (B, T, symbols + 2) pour ids (B, T), un tenseur int64.
            Il est appelé en mode évaluation et sans gradients, et se trouve ensuite dans le mode où il était
            avant.
        lags: une liste de nombres entiers différents, chacun d'au moins 1.
        trials: combien de séquences sont tirées pour chaque décalage, avec chacune son symbole.
        symbols: combien il y a de symboles, au moins 2.
        seed: un nombre entier. La même graine tire les mêmes séquences, une autre en tire d'autres.

    Returns:
        parts, de forme (len(lags),) : pour chaque décalage, la part de ses séquences, de 0 à 1, dont le
        symbole est retrouvé.
    """
    raise NotImplementedError
