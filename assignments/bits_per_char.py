# %% [markdown] lang="en"
# ## Bits per character
#
# The loss per token says little when tokens differ: a model of words has fewer tokens to predict than a model
# of characters. What the text costs in bits, divided by the number of its characters, compares them all.

# %% [markdown] lang="fr"
# ## Les bits par caractère
#
# La perte par token en dit peu quand les tokens diffèrent : un modèle de mots a moins de tokens à prédire
# qu'un modèle de caractères. Ce que le texte coûte en bits, divisé par le nombre de ses caractères, les
# compare tous.

# %%
import torch


def bits_per_char(logits, targets, lengths=None, ignore_index=-100):
    """What the tokens cost in bits, all together, divided by the number of characters in all of them.

    Args:
        logits: shape (B, T, V), any finite numbers.
        targets: int64 of shape (B, T): the id that comes at each position (nothing is to be shifted), or
            ignore_index.
        lengths: int64 of shape (V,): how many characters each id stands for, one at least. None: each id is
            one character.
        ignore_index: positions with this target are padding: they cost nothing and have no characters. At
            least one position counts. It may be the number of a word, as 0 often is.

    Returns:
        one number: a float, or a tensor of shape ().

    A token costs -log2 softmax(logits)[target] bits. Both sums go over all tokens of all sequences.

    fr: Ce que coûtent en bits tous les tokens ensemble, divisé par le nombre de caractères de tous.

    Args:
        logits: de forme (B, T, V), des nombres finis quelconques.
        targets: int64 de forme (B, T) : l'identifiant qui vient à chaque position (rien n'est à décaler), ou
            ignore_index.
        lengths: int64 de forme (V,) : combien de caractères représente chaque identifiant, un au moins.
            None : chaque identifiant est un caractère.
        ignore_index: les positions de cette cible sont du padding : elles ne coûtent rien et n'ont pas de
            caractères. Au moins une position compte. Ce peut être le numéro d'un mot, souvent 0.

    Returns:
        un seul nombre : un float, ou un tenseur de forme ().

    Un token coûte -log2 softmax(logits)[cible] bits. Les deux sommes portent sur tous les tokens de toutes
    les séquences.
    """
    raise NotImplementedError
