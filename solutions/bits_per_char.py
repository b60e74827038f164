"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import math

import torch

from solutions.perplexity import surprises

# How grave some mistakes are: what the audit asks them to cost (graders/course/gravity.py).
HALF = (
    "in_nats",
    "times_ln_2",
    "decimal_logarithm",
    "perplexity_in_bits",
    "summed",
)
SMALL = (
    "ignores_the_default_alone",
    "flat_alone",
    "changes_the_targets",
    "mean_of_ratios",
)


def bits_per_char(logits, targets, lengths=None, ignore_index=-100, count=None):
    counted = targets != ignore_index
    cost = surprises(logits, targets)[counted].sum() / math.log(2)
    return cost / (count or characters)(targets[counted], lengths)


def characters(tokens, lengths):
    """How many characters all these tokens have."""
    return tokens.numel() if lengths is None else lengths[tokens].sum()


def bits_per_char__in_nats(logits, targets, lengths=None, ignore_index=-100):
    """The cost is in nats: the logarithm is the natural one. How many nats are one bit?

    fr: Le coût est en nats : le logarithme est le naturel. Combien de nats font un bit ?
    """
    return bits_per_char(logits, targets, lengths, ignore_index) * math.log(2)


def bits_per_char__times_ln_2(logits, targets, lengths=None, ignore_index=-100):
    """The loss in nats is multiplied by ln 2. A bit is less than a nat, so that there are more of them.

    fr: La perte en nats est multipliée par ln 2. Un bit vaut moins qu'un nat ; il y en a donc davantage.
    """
    return bits_per_char(logits, targets, lengths, ignore_index) * math.log(2) ** 2


def bits_per_char__decimal_logarithm(logits, targets, lengths=None, ignore_index=-100):
    """The logarithm has base 10. Which base counts bits?

    fr: Le logarithme est en base 10. Quelle base compte des bits ?
    """
    return bits_per_char(logits, targets, lengths, ignore_index) * math.log10(2)


def bits_per_char__perplexity_in_bits(logits, targets, lengths=None, ignore_index=-100):
    """2 is raised to the number of bits: that is a perplexity.

    fr: C'est 2 élevé au nombre de bits qui est rendu : une perplexité.
    """
    return 2 ** bits_per_char(logits, targets, lengths, ignore_index)


def bits_per_char__logarithm_of_the_bits(logits, targets, lengths=None, ignore_index=-100):
    """The logarithm in base 2 is taken of the loss itself, not of the probabilities.

    fr: Le logarithme en base 2 est pris de la perte elle-même, et non des probabilités.
    """
    return (bits_per_char(logits, targets, lengths, ignore_index) * math.log(2)).log2()


def bits_per_char__summed(logits, targets, lengths=None, ignore_index=-100):
    """What the text costs comes back, divided by nothing. How long is the text?

    fr: C'est le coût du texte qui est rendu, divisé par rien. Quelle est la longueur du texte ?
    """
    return bits_per_char(logits, targets, lengths, ignore_index, lambda *_: 1)


def bits_per_char__negative(logits, targets, lengths=None, ignore_index=-100):
    """The sign is missing: the cost is negative.

    fr: Le signe manque : le coût est négatif.
    """
    return -bits_per_char(logits, targets, lengths, ignore_index)


def bits_per_char__per_token(logits, targets, lengths=None, ignore_index=-100):
    """The cost is divided by the number of tokens, however many characters they have. Where do lengths act?

    fr: Le coût est divisé par le nombre de tokens, quel que soit leur nombre de caractères. Où agit lengths ?
    """
    return bits_per_char(logits, targets, None, ignore_index)


def bits_per_char__characters_of_the_vocabulary(logits, targets, lengths=None, ignore_index=-100):
    """Characters are counted as if all ids of the vocabulary came equally often. Count those of the tokens
    that came.

    fr: Les caractères sont comptés comme si tous les identifiants du vocabulaire venaient aussi souvent.
    Comptez ceux des tokens qui sont venus.
    """

    def count(tokens, lengths):
        return tokens.numel() * (1 if lengths is None else lengths.to(logits.dtype).mean())

    return bits_per_char(logits, targets, lengths, ignore_index, count)


def bits_per_char__characters_of_the_guesses(logits, targets, lengths=None, ignore_index=-100):
    """Characters are counted of the ids that the model finds the likeliest, not of those that came.

    fr: Les caractères comptés sont ceux des identifiants que le modèle juge les plus probables, et non de
    ceux qui sont venus.
    """
    guesses = logits.argmax(-1)[targets != ignore_index]
    count = lambda _, lengths: characters(guesses, lengths)  # noqa: E731
    return bits_per_char(logits, targets, lengths, ignore_index, count)


def bits_per_char__times_the_characters(logits, targets, lengths=None, ignore_index=-100):
    """The bits of a token are multiplied by its characters. What stands on which side of "per"?

    fr: Les bits d'un token sont multipliés par le nombre de ses caractères. Qu'est-ce qui est divisé par
    quoi ?
    """
    count = lambda tokens, lengths: tokens.numel() ** 2 / characters(tokens, lengths)  # noqa: E731
    return bits_per_char(logits, targets, lengths, ignore_index, count)


def bits_per_char__mean_of_ratios(logits, targets, lengths=None, ignore_index=-100):
    """The bits of each token are divided by its characters, and then averaged: short tokens weigh too much.
    Sum first, divide once.

    fr: Les bits de chaque token sont divisés par le nombre de ses caractères, puis moyennés : les tokens
    courts pèsent trop. Sommez d'abord, divisez une seule fois.
    """
    counted = targets != ignore_index
    cost = surprises(logits, targets)[counted] / math.log(2)
    return (cost / (1 if lengths is None else lengths[targets[counted]])).mean()


def bits_per_char__characters_of_padding(logits, targets, lengths=None, ignore_index=-100):
    """Padding costs nothing, and its characters are counted: the text seems longer than it is.

    fr: Le padding ne coûte rien, mais ses caractères sont comptés : le texte paraît plus long qu'il ne l'est.
    """
    every = targets.clamp(min=0).flatten()
    count = lambda _, lengths: characters(every, lengths)  # noqa: E731
    return bits_per_char(logits, targets, lengths, ignore_index, count)


def bits_per_char__counts_padding(logits, targets, lengths=None, ignore_index=-100):
    """Padding counts as if it were words, with its bits and its characters. Look at where ignore_index is
    used.

    fr: Le padding compte comme s'il était fait de mots, avec ses bits et ses caractères. Regardez où sert
    ignore_index.
    """
    return bits_per_char(logits, targets.clamp(min=0), lengths, -1)


def bits_per_char__sequences_weigh_alike(logits, targets, lengths=None, ignore_index=-100):
    """Each sequence has a number of its own, and these are averaged: a short one weighs as much as a long
    one. Divide once.

    fr: Chaque séquence a son propre nombre, et ce sont eux qui sont moyennés : une courte pèse autant qu'une
    longue. Divisez une seule fois.
    """
    pairs = zip(logits, targets, strict=True)
    return torch.stack([bits_per_char(row, ids, lengths, ignore_index) for row, ids in pairs]).mean()


def bits_per_char__one_per_sequence(logits, targets, lengths=None, ignore_index=-100):
    """There is a number for each sequence; one is due for all of them.

    fr: Il y a un nombre par séquence ; un seul est attendu pour toutes.
    """
    pairs = zip(logits, targets, strict=True)
    return torch.stack([bits_per_char(row, ids, lengths, ignore_index) for row, ids in pairs])


def bits_per_char__ignores_the_default_alone(logits, targets, lengths=None, ignore_index=-100):
    """The target -100 is ignored, whatever ignore_index says. Look for a call that is not told it.

    fr: C'est la cible -100 qui est ignorée, quoi que dise ignore_index. Cherchez un appel qui ne le reçoit
    pas.
    """
    return bits_per_char(logits, targets, lengths)


def bits_per_char__softmax_twice(logits, targets, lengths=None, ignore_index=-100):
    """A softmax is applied twice. Which function applies one by itself?

    fr: Un softmax est appliqué deux fois. Quelle fonction en applique un d'elle-même ?
    """
    return bits_per_char(logits.softmax(-1), targets, lengths, ignore_index)


def bits_per_char__log_of_softmax(logits, targets, lengths=None, ignore_index=-100):
    """The logarithm is taken of a softmax that may have become 0. Look at log_softmax, or at logsumexp.

    fr: Le logarithme est pris d'un softmax qui a pu devenir 0. Regardez log_softmax, ou logsumexp.
    """
    return bits_per_char(logits.softmax(-1).log(), targets, lengths, ignore_index)


def bits_per_char__shifts_the_targets(logits, targets, lengths=None, ignore_index=-100):
    """Each position is compared with the target of the next one. Logits and targets belong together as they
    are given.

    fr: Chaque position est comparée à la cible de la suivante. Logits et cibles vont ensemble tels qu'ils
    sont donnés.
    """
    return bits_per_char(logits[..., :-1, :], targets[..., 1:], lengths, ignore_index)


def bits_per_char__flat_alone(logits, targets, lengths=None, ignore_index=-100):
    """Logits of shape (N, V) alone are taken, and those of a batch of sequences raise. Which axis does
    F.cross_entropy take for that of the classes?

    fr: Seuls des logits de forme (N, V) sont acceptés, et ceux d'un lot de séquences lèvent une erreur. Quel
    axe F.cross_entropy prend-elle pour celui des classes ?
    """
    loss = torch.nn.functional.cross_entropy(logits, targets, ignore_index=ignore_index, reduction="sum")
    return loss / math.log(2) / characters(targets[targets != ignore_index], lengths)


def bits_per_char__changes_the_targets(logits, targets, lengths=None, ignore_index=-100):
    """The caller's targets are changed: padding becomes 0 in place.

    fr: Les cibles de l'appelant sont modifiées : le padding devient 0 en place.
    """
    answer = bits_per_char(logits, targets, lengths, ignore_index)
    targets[targets == ignore_index] = 0
    return answer
