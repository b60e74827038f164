"""Does chance explain what was counted? Of right answers, at most one in a billion is told that it does not.

The bounds hold for every number of trials, not only in the limit: Chernoff's for counts, Hoeffding's for
means, Markov's for likelihoods (Boucheron, Lugosi, Massart, Concentration Inequalities, ch. 2).
"""

import math

import torch
from torch import Tensor

FALSE_ALARM = 1e-9  # of one submission, for all that is counted in it
TESTS = 1_000  # bounds that are asked for in one submission, at most
TEMPERATURES = (0.5, 0.7, 0.8, 0.9, 1.1, 1.25, 1.5, 2.0)  # at which ids may be drawn by mistake
_SURPRISE = math.log(2 * TESTS / FALSE_ALARM)  # both tails of each


def surprising(counts: Tensor, probabilities: Tensor) -> int | None:
    """The number of the cell whose count is the most surprising; None where chance explains all of them.

    A share q of N independent trials, each of probability p, is passed (away from p) with a probability of
    at most exp(-N D), D = q ln(q/p) + (1 - q) ln((1 - q)/(1 - p)).

    Args:
        counts: how often each cell came up.
        probabilities: with which each should, in a tensor of the same shape.
    """
    count, chance = counts.flatten().double(), probabilities.flatten().double().clamp(1e-300, 1)
    share = count / count.sum()
    away = torch.xlogy(share, share / chance)
    away = away + torch.xlogy(1 - share, (1 - share) / (1 - chance).clamp(min=1e-300))
    surprise = count.sum() * away
    worst = int(surprise.argmax())
    return worst if float(surprise[worst]) > _SURPRISE else None


def tempered(logits: Tensor, found: Tensor) -> float | None:
    """The temperature at which ids seem to be drawn, where it is clearly not 1; else None.

    That is where another temperature makes what was found so many times likelier: of ids drawn at 1, the
    ratio of the two likelihoods is 1 on average, and so above R with a probability of at most 1 / R (Markov).

    Args:
        logits: by which each id should have been drawn, (N, V).
        found: the ids, (N,).
    """
    due = _likelihood(logits, found, 1.0)
    gains = {t: _likelihood(logits, found, t) - due for t in TEMPERATURES}
    best = max(gains, key=lambda t: gains[t])
    return best if gains[best] > _SURPRISE + math.log(len(TEMPERATURES)) else None


def _likelihood(logits: Tensor, found: Tensor, temperature: float) -> float:
    logs = (logits.double() / temperature).log_softmax(-1)
    return float(logs.gather(-1, found[:, None]).sum())


def margin(count: int) -> float:
    """How far chance may lead the mean of so many independent values in [0, 1] from what is expected."""
    return math.sqrt(_SURPRISE / (2 * count))
