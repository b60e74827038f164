"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import math

import torch

# How grave some mistakes are: what the audit asks them to cost (graders/course/gravity.py).
WHOLE = ("constant_size_of_the_vocabulary",)
HALF = (
    "the_loss_itself",
    "two_to_the_nats",
    "summed",
    "mean_of_exponentials",
    "negative_exponent",
    "softmax_twice",
)
SMALL = (
    "ignores_the_default_alone",
    "flat_alone",
    "changes_the_targets",
)


def perplexity(logits, targets, ignore_index=-100):
    return nats(logits, targets, ignore_index).exp()


def surprises(logits, targets):
    """Minus the natural logarithm of each target's probability."""
    return logits.logsumexp(-1) - logits.gather(-1, targets.clamp(min=0)[..., None])[..., 0]


def nats(logits, targets, ignore_index):
    """The mean loss over all tokens."""
    return surprises(logits, targets)[targets != ignore_index].mean()


def means(logits, targets, ignore_index):
    """The mean loss of each sequence, (B,)."""
    counted = (targets != ignore_index).to(logits.dtype)
    return (surprises(logits, targets) * counted).sum(-1) / counted.sum(-1)


def perplexity__the_loss_itself(logits, targets, ignore_index=-100):
    """The mean loss comes back; its exponential is due.

    fr: C'est la perte moyenne qui est rendue ; son exponentielle est attendue.
    """
    return nats(logits, targets, ignore_index)


def perplexity__two_to_the_nats(logits, targets, ignore_index=-100):
    """2 is raised to a loss in nats. Which base belongs to the natural logarithm?

    fr: C'est 2 qui est élevé à une perte en nats. Quelle base va avec le logarithme naturel ?
    """
    return 2 ** nats(logits, targets, ignore_index)


def perplexity__exp_of_bits(logits, targets, ignore_index=-100):
    """The exponential is taken of a loss in bits. Which base belongs to bits?

    fr: L'exponentielle est prise d'une perte en bits. Quelle base va avec les bits ?
    """
    return (nats(logits, targets, ignore_index) / math.log(2)).exp()


def perplexity__in_bits(logits, targets, ignore_index=-100):
    """The loss in bits comes back: its logarithm is taken instead of its exponential.

    fr: C'est la perte en bits qui est rendue : au lieu de l'exponentielle, un logarithme est changé de base.
    """
    return nats(logits, targets, ignore_index) / math.log(2)


def perplexity__ten_to_the_nats(logits, targets, ignore_index=-100):
    """10 is raised to a loss in nats. Which base belongs to the natural logarithm?

    fr: C'est 10 qui est élevé à une perte en nats. Quelle base va avec le logarithme naturel ?
    """
    return 10 ** nats(logits, targets, ignore_index)


def perplexity__summed(logits, targets, ignore_index=-100):
    """The losses of the tokens are summed before the exponential. Look at how many tokens there are.

    fr: Les pertes des tokens sont sommées avant l'exponentielle. Regardez combien il y a de tokens.
    """
    return surprises(logits, targets)[targets != ignore_index].sum().exp()


def perplexity__mean_of_exponentials(logits, targets, ignore_index=-100):
    """The exponential is taken of each token's loss, and then the mean: one improbable token decides it all.
    Which comes first?

    fr: L'exponentielle est prise de la perte de chaque token, puis la moyenne : un seul token improbable
    décide de tout. Que faut-il faire d'abord ?
    """
    return surprises(logits, targets)[targets != ignore_index].exp().mean()


def perplexity__mean_of_sequences(logits, targets, ignore_index=-100):
    """Each sequence has a perplexity of its own, and these are averaged. What does the mean go over?

    fr: Chaque séquence a sa propre perplexité, et ce sont elles qui sont moyennées. Sur quoi porte la
    moyenne ?
    """
    return means(logits, targets, ignore_index).exp().mean()


def perplexity__sequences_weigh_alike(logits, targets, ignore_index=-100):
    """The losses of the sequences are averaged: a token of a short one weighs more than one of a long one.
    Divide by the number of tokens, once.

    fr: Ce sont les pertes des séquences qui sont moyennées : un token d'une séquence courte y pèse plus que
    celui d'une longue. Divisez par le nombre de tokens, une seule fois.
    """
    return means(logits, targets, ignore_index).mean().exp()


def perplexity__one_per_sequence(logits, targets, ignore_index=-100):
    """There is a perplexity for each sequence; one number is due for all of them.

    fr: Il y a une perplexité par séquence ; un seul nombre est attendu pour toutes.
    """
    return means(logits, targets, ignore_index).exp()


def perplexity__counts_padding(logits, targets, ignore_index=-100):
    """Padding counts as if it were words. Look at where ignore_index is used.

    fr: Le padding compte comme s'il était fait de mots. Regardez où sert ignore_index.
    """
    return surprises(logits, targets).mean().exp()


def perplexity__divides_by_all_positions(logits, targets, ignore_index=-100):
    """Padding costs nothing, and still counts among the tokens that the sum is divided by: the perplexity is
    too good.

    fr: Le padding ne coûte rien, mais compte encore parmi les tokens par lesquels la somme est divisée : la
    perplexité est trop bonne.
    """
    counted = targets != ignore_index
    return (surprises(logits, targets) * counted).mean().exp()


def perplexity__ignores_the_default_alone(logits, targets, ignore_index=-100):
    """The target -100 is ignored, whatever ignore_index says. Look for a call that is not told it.

    fr: C'est la cible -100 qui est ignorée, quoi que dise ignore_index. Cherchez un appel qui ne le reçoit
    pas.
    """
    return perplexity(logits, targets)


def perplexity__negative_exponent(logits, targets, ignore_index=-100):
    """The sign of the logarithm is lost: the mean probability of the tokens comes back, below 1. A better
    model should have less.

    fr: Le signe du logarithme est perdu : c'est la probabilité moyenne des tokens qui est rendue, inférieure
    à 1. Un meilleur modèle devrait en avoir moins.
    """
    return (-nats(logits, targets, ignore_index)).exp()


def perplexity__inverse_of_the_mean_probability(logits, targets, ignore_index=-100):
    """The probabilities of the tokens are averaged, not their logarithms. What does the loss average?

    fr: Ce sont les probabilités des tokens qui sont moyennées, et non leurs logarithmes. Que moyenne la
    perte ?
    """
    return 1 / (-surprises(logits, targets))[targets != ignore_index].exp().mean()


def perplexity__of_the_entropy(logits, targets, ignore_index=-100):
    """The entropy of the model's own distribution is taken, and the tokens that came are not looked at. Where
    do the targets act?

    fr: C'est l'entropie de la distribution du modèle qui est prise, et les tokens venus ne sont pas regardés.
    Où agissent les cibles ?
    """
    logs = logits.log_softmax(-1)
    return (-(logs.exp() * logs).sum(-1))[targets != ignore_index].mean().exp()


def perplexity__constant_size_of_the_vocabulary(logits, targets, ignore_index=-100):
    """The size of the vocabulary comes back, which is what a model that knows nothing has.

    fr: C'est la taille du vocabulaire qui est rendue, celle d'un modèle qui ne sait rien.
    """
    return torch.tensor(float(logits.shape[-1]), dtype=logits.dtype)


def perplexity__softmax_twice(logits, targets, ignore_index=-100):
    """A softmax is applied twice. Which function applies one by itself?

    fr: Un softmax est appliqué deux fois. Quelle fonction en applique un d'elle-même ?
    """
    return perplexity(logits.softmax(-1), targets, ignore_index)


def perplexity__softmax_over_positions(logits, targets, ignore_index=-100):
    """The softmax runs over the positions of a sequence, not over the words. Look at its dim.

    fr: Le softmax porte sur les positions d'une séquence et non sur les mots. Regardez son dim.
    """
    logs = logits.log_softmax(1).gather(-1, targets.clamp(min=0)[..., None])[..., 0]
    return (-logs[targets != ignore_index].mean()).exp()


def perplexity__without_softmax(logits, targets, ignore_index=-100):
    """The logits are taken for logarithms of probabilities; nothing makes their exponentials sum to 1.

    fr: Les logits sont pris pour des logarithmes de probabilités ; rien ne fait que leurs exponentielles
    somment à 1.
    """
    chosen = logits.gather(-1, targets.clamp(min=0)[..., None])[..., 0]
    return (-chosen[targets != ignore_index].mean()).exp()


def perplexity__shifts_the_targets(logits, targets, ignore_index=-100):
    """Each position is compared with the target of the next one. Logits and targets belong together as they
    are given.

    fr: Chaque position est comparée à la cible de la suivante. Logits et cibles vont ensemble tels qu'ils
    sont donnés.
    """
    return perplexity(logits[..., :-1, :], targets[..., 1:], ignore_index)


def perplexity__exponentials_overflow(logits, targets, ignore_index=-100):
    """The exponentials of large logits are infinite. Look at log_softmax, or at logsumexp.

    fr: Les exponentielles de grands logits sont infinies. Regardez log_softmax, ou logsumexp.
    """
    weights = logits.exp()
    shares = weights / weights.sum(-1, keepdim=True)
    chosen = shares.gather(-1, targets.clamp(min=0)[..., None])[..., 0]
    return (-chosen[targets != ignore_index].log().mean()).exp()


def perplexity__log_of_softmax(logits, targets, ignore_index=-100):
    """The logarithm is taken of a softmax that may have become 0. Look at log_softmax, or at logsumexp.

    fr: Le logarithme est pris d'un softmax qui a pu devenir 0. Regardez log_softmax, ou logsumexp.
    """
    chosen = logits.softmax(-1).gather(-1, targets.clamp(min=0)[..., None])[..., 0]
    return (-chosen[targets != ignore_index].log().mean()).exp()


def perplexity__flat_alone(logits, targets, ignore_index=-100):
    """Logits of shape (N, V) alone are taken, and those of a batch of sequences raise. Which axis does
    F.cross_entropy take for that of the classes?

    fr: Seuls des logits de forme (N, V) sont acceptés, et ceux d'un lot de séquences lèvent une erreur. Quel
    axe F.cross_entropy prend-elle pour celui des classes ?
    """
    return torch.nn.functional.cross_entropy(logits, targets, ignore_index=ignore_index).exp()


def perplexity__changes_the_targets(logits, targets, ignore_index=-100):
    """The caller's targets are changed: padding becomes 0 in place.

    fr: Les cibles de l'appelant sont modifiées : le padding devient 0 en place.
    """
    answer = perplexity(logits, targets, ignore_index)
    targets[targets == ignore_index] = 0
    return answer
