"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import math

import torch
from torch.nn import functional

# How grave some mistakes are: what the audit asks them to cost (graders/course/gravity.py).
HALF = (
    "summed",
    "softmax_twice",
    "in_bits",
    "mean_over_classes",
    "positive_log",
)
SMALL = (
    "exponentials_overflow",
    "ignores_negative_targets",
    "a_float",
    "changes_the_logits",
)


def cross_entropy(logits, targets, ignore_index=-100):
    counted = targets != ignore_index
    return surprise(logits[counted], targets[counted]).mean()


def surprise(logits, targets):
    """Minus the logarithm of each target's probability, (N,)."""
    chosen = logits.gather(-1, targets[:, None])[:, 0]
    return logits.logsumexp(-1) - chosen


def kept(logits, targets, ignore_index):
    """The rows that count, and the targets as one-hot rows."""
    counted = targets != ignore_index
    rows = logits[counted]
    return rows, functional.one_hot(targets[counted], logits.shape[-1]).to(rows.dtype)


def cross_entropy__exponentials_overflow(logits, targets, ignore_index=-100):
    """The exponentials of large logits are infinite, or a limit keeps them from it. What may be subtracted
    from a row without changing its softmax?

    fr: Les exponentielles de grands logits sont infinies, ou une limite les en empêche. Que peut-on
    soustraire à une ligne sans changer son softmax ?
    """
    rows, wanted = kept(logits, targets, ignore_index)
    probabilities = rows.exp() / rows.exp().sum(-1, keepdim=True)
    return -(wanted * probabilities).sum(-1).log().mean()


def cross_entropy__log_of_softmax(logits, targets, ignore_index=-100):
    """The logarithm is taken of a softmax that may have become 0. Look at log_softmax, or at logsumexp.

    fr: Le logarithme est pris d'un softmax qui a pu devenir 0. Regardez log_softmax, ou logsumexp.
    """
    rows, wanted = kept(logits, targets, ignore_index)
    return -(wanted * rows.softmax(-1)).sum(-1).log().mean()


def cross_entropy__log_of_a_little_more(logits, targets, ignore_index=-100):
    """A small number is added before the logarithm: a very improbable target then costs too little.

    fr: Un petit nombre est ajouté avant le logarithme : une cible très improbable coûte alors trop peu.
    """
    rows, wanted = kept(logits, targets, ignore_index)
    return -((wanted * rows.softmax(-1)).sum(-1) + 1e-9).log().mean()


def cross_entropy__clamped(logits, targets, ignore_index=-100):
    """Probabilities are kept from becoming too small: a very improbable target then costs too little.

    fr: Les probabilités sont empêchées de devenir trop petites : une cible très improbable coûte alors trop
    peu.
    """
    rows, wanted = kept(logits, targets, ignore_index)
    return -(wanted * rows.softmax(-1)).sum(-1).clamp(min=1e-7).log().mean()


def cross_entropy__one_maximum_for_all(logits, targets, ignore_index=-100):
    """The same number is subtracted from all rows: those that are much smaller become 0. Which axis does the
    maximum belong to?

    fr: Le même nombre est soustrait à toutes les lignes : celles qui sont bien plus petites deviennent 0. À
    quel axe appartient le maximum ?
    """
    rows, wanted = kept(logits, targets, ignore_index)
    shifted = rows - rows.max()
    return (shifted.exp().sum(-1).log() - (wanted * shifted).sum(-1)).mean()


def cross_entropy__summed(logits, targets, ignore_index=-100):
    """The losses of the rows are summed. Look at how many rows there are.

    fr: Les pertes des lignes sont sommées. Regardez combien il y a de lignes.
    """
    counted = targets != ignore_index
    return surprise(logits[counted], targets[counted]).sum()


def cross_entropy__one_per_row(logits, targets, ignore_index=-100):
    """There is a loss for each row; their mean is due.

    fr: Il y a une perte par ligne ; leur moyenne est attendue.
    """
    counted = targets != ignore_index
    return surprise(logits[counted], targets[counted])


def cross_entropy__mean_over_classes(logits, targets, ignore_index=-100):
    """The mean goes over the classes too: the loss is C times too small. Look at what mean divides by.

    fr: La moyenne porte aussi sur les classes : la perte est C fois trop petite. Regardez par quoi mean
    divise.
    """
    return cross_entropy(logits, targets, ignore_index) / logits.shape[-1]


def cross_entropy__mean_over_ignored(logits, targets, ignore_index=-100):
    """Ignored rows count as zeros in the mean. By how many rows is the sum divided?

    fr: Les lignes ignorées comptent pour zéro dans la moyenne. Par combien de lignes la somme est-elle
    divisée ?
    """
    counted = targets != ignore_index
    return cross_entropy(logits, targets, ignore_index) * counted.double().mean().to(logits.dtype)


def cross_entropy__ignores_nothing(logits, targets, ignore_index=-100):
    """Rows to be ignored count as if their target were 0 or what it says. Look at where ignore_index is used.

    fr: Les lignes à ignorer comptent comme si leur cible était 0 ou ce qu'elle dit. Regardez où sert
    ignore_index.
    """
    return surprise(logits, targets.clamp(min=0)).mean()


def cross_entropy__ignores_the_default_alone(logits, targets, ignore_index=-100):
    """The target -100 is ignored, whatever ignore_index says. Look for a number in the code.

    fr: C'est la cible -100 qui est ignorée, quoi que dise ignore_index. Cherchez un nombre dans le code.
    """
    return cross_entropy(logits, targets)


def cross_entropy__ignores_negative_targets(logits, targets, ignore_index=-100):
    """Every negative target is ignored; ignore_index may also be the number of a class.

    fr: Toute cible négative est ignorée ; ignore_index peut aussi être le numéro d'une classe.
    """
    return surprise(logits[targets >= 0], targets[targets >= 0]).mean() + 0 * ignore_index


def cross_entropy__in_bits(logits, targets, ignore_index=-100):
    """The logarithm has base 2: the loss is in bits. The contract asks for the natural one.

    fr: Le logarithme est en base 2 : la perte est en bits. L'énoncé demande le logarithme naturel.
    """
    return cross_entropy(logits, targets, ignore_index) / math.log(2)


def cross_entropy__positive_log(logits, targets, ignore_index=-100):
    """The sign is missing: the loss is negative, and becomes smaller when the model becomes worse.

    fr: Le signe manque : la perte est négative, et diminue quand le modèle empire.
    """
    return -cross_entropy(logits, targets, ignore_index)


def cross_entropy__without_softmax(logits, targets, ignore_index=-100):
    """The logits are taken for logarithms of probabilities; nothing makes their exponentials sum to 1.

    fr: Les logits sont pris pour des logarithmes de probabilités ; rien ne fait que leurs exponentielles
    somment à 1.
    """
    rows, wanted = kept(logits, targets, ignore_index)
    return -(wanted * rows).sum(-1).mean()


def cross_entropy__log_of_the_logits(logits, targets, ignore_index=-100):
    """The logarithm is taken of the logits themselves, as if they were probabilities: negative ones have
    none. What makes probabilities of them?

    fr: Le logarithme est pris des logits eux-mêmes, comme s'ils étaient des probabilités : ceux qui sont
    négatifs n'en ont pas. Qu'est-ce qui en fait des probabilités ?
    """
    rows, wanted = kept(logits, targets, ignore_index)
    return -(wanted * rows).sum(-1).log().mean()


def cross_entropy__without_logarithm(logits, targets, ignore_index=-100):
    """The probabilities of the targets are averaged, with a minus; their logarithm is missing.

    fr: Ce sont les probabilités des cibles qui sont moyennées, avec un moins ; leur logarithme manque.
    """
    rows, wanted = kept(logits, targets, ignore_index)
    return -(wanted * rows.softmax(-1)).sum(-1).mean()


def cross_entropy__shifts_the_targets(logits, targets, ignore_index=-100):
    """Each row is compared with the target of the next one, and the last row is left out. Rows and targets
    belong together as they are given.

    fr: Chaque ligne est comparée à la cible de la suivante, et la dernière ligne est laissée de côté. Lignes
    et cibles vont ensemble telles qu'elles sont données.
    """
    return cross_entropy(logits[:-1], targets[1:], ignore_index)


def cross_entropy__softmax_twice(logits, targets, ignore_index=-100):
    """A softmax is applied twice. Which function applies one by itself?

    fr: Un softmax est appliqué deux fois. Quelle fonction en applique un d'elle-même ?
    """
    return cross_entropy(logits.softmax(-1), targets, ignore_index)


def cross_entropy__softmax_over_rows(logits, targets, ignore_index=-100):
    """The softmax runs over the rows; each row shares its probability among the classes. Look at its dim.

    fr: Le softmax porte sur les lignes ; chaque ligne répartit sa probabilité entre les classes. Regardez son
    dim.
    """
    rows, wanted = kept(logits, targets, ignore_index)
    return -(wanted * rows.log_softmax(0)).sum(-1).mean()


def cross_entropy__all_classes(logits, targets, ignore_index=-100):
    """The logarithms of all classes are summed, and not that of the target alone. Where do the targets act?

    fr: Les logarithmes de toutes les classes sont sommés, et non celui de la cible seule. Où agissent les
    cibles ?
    """
    rows, _ = kept(logits, targets, ignore_index)
    return -rows.log_softmax(-1).sum(-1).mean()


def cross_entropy__binary(logits, targets, ignore_index=-100):
    """Each class is judged by itself, with log(1 - p) where it is not the target. In the formula y is 0
    there.

    fr: Chaque classe est jugée à part, avec log(1 - p) là où elle n'est pas la cible ; dans la formule, y y
    vaut 0.
    """
    rows, wanted = kept(logits, targets, ignore_index)
    probabilities = rows.softmax(-1)
    others = (1 - wanted) * torch.log1p(-probabilities.clamp(max=1 - 1e-7))
    return (surprise(rows, wanted.argmax(-1)) - others.sum(-1)).mean()


def cross_entropy__squared(logits, targets, ignore_index=-100):
    """The squared differences between probabilities and targets are averaged; a logarithm is due.

    fr: Ce sont les carrés des écarts entre probabilités et cibles qui sont moyennés ; un logarithme est
    attendu.
    """
    rows, wanted = kept(logits, targets, ignore_index)
    return (rows.softmax(-1) - wanted).pow(2).sum(-1).mean()


def cross_entropy__perplexity(logits, targets, ignore_index=-100):
    """The exponential of the loss comes back: that is the perplexity.

    fr: C'est l'exponentielle de la perte qui est rendue : la perplexité.
    """
    return cross_entropy(logits, targets, ignore_index).exp()


def cross_entropy__a_float(logits, targets, ignore_index=-100):
    """A Python number comes back, by which nothing can be trained. Look for .item().

    fr: C'est un nombre de Python qui est rendu, par lequel rien ne peut s'entraîner. Cherchez .item().
    """
    return cross_entropy(logits, targets, ignore_index).item()


def cross_entropy__keeps_an_axis(logits, targets, ignore_index=-100):
    """The answer has an axis of size 1; a tensor of shape () is due. Look for keepdim.

    fr: La réponse a un axe de taille 1 ; un tenseur de forme () est attendu. Cherchez keepdim.
    """
    return cross_entropy(logits, targets, ignore_index)[None]


def cross_entropy__detached(logits, targets, ignore_index=-100):
    """No gradient reaches the logits. Look for detach, no_grad or torch.tensor.

    fr: Aucun gradient n'atteint les logits. Cherchez detach, no_grad ou torch.tensor.
    """
    return cross_entropy(logits.detach(), targets, ignore_index)


def cross_entropy__changes_the_logits(logits, targets, ignore_index=-100):
    """The caller's logits are changed: the maximum is subtracted in place.

    fr: Les logits de l'appelant sont modifiés : le maximum est soustrait en place.
    """
    loss = cross_entropy(logits, targets, ignore_index)
    logits.data.sub_(logits.data.amax(-1, keepdim=True))
    return loss


def cross_entropy__changes_the_targets(logits, targets, ignore_index=-100):
    """The caller's targets are changed: those that are ignored become 0 in place.

    fr: Les cibles de l'appelant sont modifiées : celles qui sont ignorées deviennent 0 en place.
    """
    loss = cross_entropy(logits, targets, ignore_index)
    targets[targets == ignore_index] = 0
    return loss
