"""Statistical tests for random answers: a right answer fails with a probability of at most one in a billion.

The bounds hold for every number of trials, not only in the limit: Chernoff's for counts, Hoeffding's for
means, Markov's for likelihoods (Boucheron, Lugosi, Massart, Concentration Inequalities, ch. 2).
"""

import math
from collections.abc import Mapping

import torch
from torch import Tensor

FALSE_ALARM = 1e-9  # probability that any test of a right submission fails
TESTS = 1_000  # maximum number of tests in one submission
TEMPERATURES = (0.5, 0.7, 0.8, 0.9, 1.1, 1.25, 1.5, 2.0)  # wrong temperatures that are looked for
_SURPRISE = math.log(
    2 * TESTS / FALSE_ALARM
)  # minus the log of a tail's probability; each test has two tails


def surprising(counts: Tensor, probabilities: Tensor) -> int | None:
    """The index of the cell whose count is the least likely; None where all counts can be chance.

    N independent trials of probability p give a share of q, or one even farther from p, with a probability of
    at most exp(-N D), D = q ln(q/p) + (1 - q) ln((1 - q)/(1 - p)).

    Args:
        counts: how often each cell was drawn.
        probabilities: the probability of each cell, in a tensor of the same shape.
    """
    observed, expected = counts.flatten().double(), probabilities.flatten().double().clamp(1e-300, 1)
    share = observed / observed.sum()
    divergence = torch.xlogy(share, share / expected)
    divergence = divergence + torch.xlogy(1 - share, (1 - share) / (1 - expected).clamp(min=1e-300))
    surprise = observed.sum() * divergence
    worst = int(surprise.argmax())
    return worst if float(surprise[worst]) > _SURPRISE else None


def are_too_few(different: int, cells: int, trials: int) -> bool:
    """Whether so few different cells of equal probability are no chance.

    N trials stay within some d of K cells with a probability of at most C(K, d) (d / K)^N: each of the sets
    of d cells holds all of them with (d / K)^N.
    """
    if different >= cells or not trials:
        return False
    return trials * math.log(cells / max(1, different)) - math.log(math.comb(cells, different)) > _SURPRISE


def likeliest(counts: Tensor, distributions: Mapping[str, Tensor]) -> list[str]:
    """The names of the distributions that counts fit, without those that another one is far likelier than.

    Args:
        counts: how often each cell was drawn, in as many rows of trials as there are.
        distributions: for each name the probabilities of the cells, which sum to 1 in each row.
    """
    fits = {
        name: float(torch.xlogy(counts, p).sum())
        for name, p in distributions.items()
        if all(surprising(*row) is None for row in zip(counts, p, strict=True))
    }
    # If the less likely distribution is the true one, the ratio of the two likelihoods has mean 1. So it is
    # this large with a probability of one in a billion at most (Markov).
    far = -math.log(FALSE_ALARM)
    return [name for name, likelihood in fits.items() if likelihood > max(fits.values()) - far]


def tempered(logits: Tensor, ids: Tensor) -> float | None:
    """The temperature at which ids seem to be drawn, where it is clearly not 1; else None.

    It is the temperature that makes the ids most likely, if the ratio of the likelihoods (at this temperature
    to at 1) is large enough. For ids drawn at 1 the ratio has mean 1, so it is above R with a probability of
    at most 1 / R (Markov).

    Args:
        logits: the logits from which each id should have been drawn, (N, V).
        ids: the ids, (N,).
    """
    at_one = _likelihood(logits, ids, 1.0)
    gains = {t: _likelihood(logits, ids, t) - at_one for t in TEMPERATURES}
    best = max(gains, key=lambda t: gains[t])
    return best if gains[best] > _SURPRISE + math.log(len(TEMPERATURES)) else None


def _likelihood(logits: Tensor, ids: Tensor, temperature: float) -> float:
    logs = (logits.double() / temperature).log_softmax(-1)
    return float(logs.gather(-1, ids[:, None]).sum())


def margin(count: int) -> float:
    """How far the mean of `count` independent values in [0, 1] may be from its expectation by chance."""
    return math.sqrt(_SURPRISE / (2 * count))
