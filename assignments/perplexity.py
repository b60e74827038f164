# %% [markdown] lang="en"
# ## Perplexity
#
# How many words a language model hesitates between: the exponential of its mean loss. A model that knows
# nothing has the size of its vocabulary, one that is always sure and right has 1. Every token counts as much
# as every other, in whatever sequence it stands; padding is no token.

# %% [markdown] lang="fr"
# ## La perplexité
#
# Entre combien de mots un modèle de langage hésite : l'exponentielle de sa perte moyenne. Un modèle qui ne
# sait rien a la taille de son vocabulaire, un modèle toujours sûr et juste a 1. Chaque token compte autant
# que tout autre, dans quelque séquence qu'il soit ; le padding n'est pas un token.

# %%
import torch


def perplexity(logits, targets, ignore_index=-100):
    """exp of the mean of -log softmax(logits)[target] over all tokens of all sequences.

    Args:
        logits: shape (B, T, V), any finite numbers.
        targets: int64 of shape (B, T): the id that comes at each position (nothing is to be shifted), or
            ignore_index.
        ignore_index: positions with this target are padding: they count neither in the sum nor in the number
            of tokens. At least one position counts. It may be the number of a word, as 0 often is.

    Returns:
        one number: a float, or a tensor of shape (). Where it is too large for a float, infinity is right.

    Sequences may have different numbers of tokens: the mean goes over tokens, not over sequences.

    fr: exp de la moyenne de -log softmax(logits)[cible] sur tous les tokens de toutes les séquences.

    Args:
        logits: de forme (B, T, V), des nombres finis quelconques.
        targets: int64 de forme (B, T) : l'identifiant qui vient à chaque position (rien n'est à décaler), ou
            ignore_index.
        ignore_index: les positions de cette cible sont du padding : elles ne comptent ni dans la somme, ni
            dans le nombre de tokens. Au moins une position compte. Ce peut être le numéro d'un mot, souvent
            0.

    Returns:
        un seul nombre : un float, ou un tenseur de forme (). Là où il est trop grand pour un flottant,
        l'infini est juste.

    Les séquences peuvent avoir des nombres de tokens différents : la moyenne porte sur les tokens, et non sur
    les séquences.
    """
    raise NotImplementedError
