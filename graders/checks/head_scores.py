"""head_scores(weights): (H, S, S) -> {"previous", "first", "self", "entropy"}, a score of each head, (H,)."""

import math
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api import properties
from graders.check_api.check import (
    Candidate,
    Target,
    agree,
    alike,
    check,
    kind,
    require,
    same,
    shaped,
    targets,
    tensor,
)
from graders.check_api.compare import has_dtype, is_near
from graders.check_api.options import Options
from graders.check_api.standard_checks import function_checks
from graders.check_api.strategies.drawn import Drawn
from graders.check_api.strategies.lengths import EXTREME
from graders.check_api.strategies.tensors import hidden, normal, seeds, several, sizes
from graders.language import tr

NAMES = ("previous", "first", "self", "entropy")


@dataclass(frozen=True, eq=False)
class Attentions(Drawn):
    """The weights (H, S, S) of some heads; each row sums to 1."""

    weights: Tensor
    seed: int = field(default=0, metadata=hidden)

    def normalise(self, answer: Any) -> Any:
        """The scores in the order of their names, whatever the order of the dict."""
        return ["a dict", *map(answer.get, NAMES)] if isinstance(answer, dict) else answer


def _make_attentions(heads: int, length: int, seed: int, dtype: torch.dtype = torch.float32) -> Attentions:
    return Attentions(normal(heads, length, length, seed=seed, scale=1.5, dtype=dtype).softmax(-1), seed)


@st.composite
def attentions(draw: st.DrawFn, dtype: torch.dtype = torch.float32) -> Attentions:
    """Two to four heads over two to seven positions."""
    return _make_attentions(draw(several(4)), draw(sizes(2, 7)), draw(seeds()), dtype)


@st.composite
def causal(draw: st.DrawFn) -> Attentions:
    """The same, with weights of exactly 0 on later keys."""
    length, seed = draw(sizes(2, 7)), draw(seeds())
    scores = normal(draw(several(4)), length, length, seed=seed, scale=1.5)
    future = torch.ones(length, length, dtype=torch.bool).triu(1)
    return Attentions(scores.masked_fill(future, -math.inf).softmax(-1), seed)


def plant(length: int) -> Attentions:
    """Four heads that are sure: of the key before, of the first, of the query itself, and of nothing."""
    itself = torch.eye(length)
    before, first = torch.cat([itself[:1], itself[:-1]]), itself[:1].expand(length, -1)
    return Attentions(torch.stack([before, first, itself, torch.full((length, length), 1 / length)]))


def score_of(answer: Any, name: str, draw: Attentions) -> Tensor:
    """One of the scores, (H,), also where it is a list, or stands in a tuple in the usual order."""
    if isinstance(answer, tuple | list) and len(answer) == len(NAMES):
        answer = dict(zip(NAMES, answer, strict=True))
    require(isinstance(answer, dict), tr("there should be a dict, but there is {kind}", kind=kind(answer)))
    message = tr('there is no key "{name}" in the dict', name=name)
    require(name in answer, message)
    value = answer[name]
    if isinstance(value, list) and all(type(number) in (int, float) for number in value):
        value = torch.tensor(value, dtype=draw.weights.dtype)
    score = tensor(value, f'"{name}"')
    shaped(score, draw.weights.shape[:1], f'"{name}"')
    return score


def tells_heads_apart(head_scores: Candidate, draw: Attentions) -> None:
    """Require other scores for other heads: a constant would pass many checks."""
    answer = head_scores(draw.weights)
    for name in NAMES:
        score = score_of(answer, name, draw)
        message = tr('"{name}" is the same for heads that look elsewhere', name=name)
        require(bool((score != score[0]).any()), message)


def compute_score(name: str, draw: Attentions) -> Target:
    """A score by its definition."""
    return targets(lambda weights: [_score(name, weights)], [draw.weights])[0]


def _score(name: str, weights: Tensor) -> Tensor:
    queries = range(weights.shape[-1])
    if name == "entropy":
        logarithms = torch.where(weights > 0, weights, torch.ones_like(weights)).log()
        return -(weights * logarithms).sum(-1).mean(-1)
    keys = {"previous": range(-1, len(queries) - 1), "first": [0] * len(queries), "self": queries}[name]
    rows = [weights[:, i, key] for i, key in zip(queries, keys, strict=True) if key >= 0]
    return torch.stack(rows, -1).mean(-1)


def _agrees(name: str, head_scores: Candidate, draw: Attentions, answer: Target) -> None:
    agree(score_of(head_scores(draw.weights), name, draw), answer, value_name=f'"{name}"')


@check(points=1, given=attentions(), shape_only=True)
def names_four_scores(head_scores: Candidate, draw: Attentions) -> None:
    """the answer is a dict of four tensors of shape (H,)

    fr: la réponse est un dict de quatre tenseurs de forme (H,)
    """
    answer = head_scores(draw.weights)
    require(isinstance(answer, dict), tr("there should be a dict, but there is {kind}", kind=kind(answer)))
    for name in NAMES:
        score = score_of(answer, name, draw)
        message = tr('"{name}" should be a tensor, but is {kind}', name=name, kind=kind(answer[name]))
        require(isinstance(answer[name], Tensor), message)
        has_dtype(score, draw.weights.dtype)


@check(points=4, given=attentions(), answer=partial(compute_score, "previous"), core=True)
def scores_the_key_before(head_scores: Candidate, draw: Attentions, answer: Target) -> None:
    """the score "previous" is the mean weight on the key just before the query

    fr: "previous" est le poids moyen sur la clé juste avant la requête
    """
    _agrees("previous", head_scores, draw, answer)


@check(points=4, given=attentions(), answer=partial(compute_score, "first"), core=True)
def scores_the_first_key(head_scores: Candidate, draw: Attentions, answer: Target) -> None:
    """the score "first" is the mean weight on key 0

    fr: "first" est le poids moyen sur la clé 0
    """
    _agrees("first", head_scores, draw, answer)


@check(points=4, given=attentions(), answer=partial(compute_score, "self"), core=True)
def scores_the_query_itself(head_scores: Candidate, draw: Attentions, answer: Target) -> None:
    """the score "self" is the mean weight that a query gives to itself

    fr: "self" est le poids moyen qu'une requête se donne à elle-même
    """
    _agrees("self", head_scores, draw, answer)


@check(points=4, given=attentions(), answer=partial(compute_score, "entropy"), core=True)
def measures_how_spread_a_head_is(head_scores: Candidate, draw: Attentions, answer: Target) -> None:
    """the score "entropy" is the mean entropy of the rows, in nats

    fr: "entropy" est l'entropie moyenne des lignes, en nats
    """
    _agrees("entropy", head_scores, draw, answer)


def _treats_the_last_head_apart(head_scores: Candidate, draw: Attentions) -> None:
    alone = Attentions(draw.weights[-1:].contiguous())
    whole, last = head_scores(draw.weights), head_scores(alone.weights)
    for name in NAMES:
        expected = score_of(whole, name, draw)[-1:]
        alike(score_of(last, name, alone), expected, tr('"{name}" of a head alone', name=name))
    tells_heads_apart(head_scores, plant(draw.weights.shape[-1]))


def _all_scores(head_scores: Candidate, draw: Attentions) -> Tensor:
    answer = head_scores(draw.weights)
    return torch.stack([score_of(answer, name, draw) for name in NAMES])


answers_extreme_sizes = function_checks.answers_extreme_sizes(
    points=1,
    kept_because=EXTREME,
    answer=lambda draw: targets(
        lambda weights: [torch.stack([_score(name, weights) for name in NAMES])], [draw.weights]
    )[0],
    output_of=_all_scores,
    usual=partial(_make_attentions, 3, 5),
    otherwise=_treats_the_last_head_apart,
    fixed=[partial(_make_attentions, 4, 4), partial(_make_attentions, 2, 5)],
    stretched=[lambda n, seed: _make_attentions(n, 3, seed), lambda n, seed: _make_attentions(2, n, seed)],
)


@check(points=4, given=causal())
def takes_weights_of_exactly_0(head_scores: Candidate, draw: Attentions) -> None:
    """weights of 0 add nothing to the entropy: it is that of the rows without them

    fr: les poids de 0 n'ajoutent rien à l'entropie : c'est celle des lignes sans eux
    """
    answer = head_scores(draw.weights)
    entropy = score_of(answer, "entropy", draw)
    require(bool(entropy.isfinite().all()), tr("some entropies are NaN or infinite"))
    small = torch.where(draw.weights == 0, torch.tensor(1e-12), draw.weights)
    near = score_of(head_scores(small), "entropy", draw)
    alike(entropy, near, tr("the entropy, against that where 0 is 1e-12"))
    two = Attentions(torch.eye(3).repeat(2, 1, 1))  # one head is for another check
    sure = score_of(head_scores(two.weights), "entropy", two)
    alike(sure, torch.zeros(2), tr("the entropy of a head that is sure"))
    even = score_of(head_scores(torch.full((2, 3, 3), 1 / 3)), "entropy", two)
    require(not torch.equal(even, sure), tr("the entropy is the same for all heads"))


@check(points=1, given=attentions())
def treats_heads_apart(head_scores: Candidate, draw: Attentions) -> None:
    """each head has the scores that it has alone

    fr: chaque tête a les scores qu'elle a seule
    """
    answer = head_scores(draw.weights)
    for number in range(len(draw.weights)):
        alone = Attentions(draw.weights[number : number + 1])
        scores = head_scores(alone.weights)
        for name in NAMES:
            whole = score_of(answer, name, draw)[number : number + 1]
            alike(score_of(scores, name, alone), whole, tr('"{name}" of a head alone', name=name))
    tells_heads_apart(head_scores, plant(draw.weights.shape[-1]))


@check(points=1, given=attentions(dtype=torch.float64))
def computes_in_double_precision(head_scores: Candidate, draw: Attentions) -> None:
    """in float64 the scores are of float64, and the same as in float32

    fr: en float64, les scores sont en float64, et les mêmes qu'en float32
    """
    answer, single = head_scores(draw.weights), Attentions(draw.weights.float())
    tells_heads_apart(head_scores, Attentions(plant(3).weights.double()))
    turned = head_scores(draw.weights.flip(0))
    for name in NAMES:
        score, due = score_of(answer, name, draw), compute_score(name, draw)
        alike(score.float(), score_of(head_scores(single.weights), name, single), f'"{name}"')
        if is_near(score, Target(due.exact, 1e-4)):
            agree(score, due, value_name=f'"{name}"')
        alike(
            score_of(turned, name, draw), score.flip(0), tr('"{name}" of heads in another order', name=name)
        )


@check(points=1, given=causal(), on_its_word=True)
def leaves_its_argument_alone(head_scores: Candidate, draw: Attentions) -> str | None:
    """the weights keep their values, and the second call answers as the first

    fr: les poids gardent leurs valeurs, et le second appel répond comme le premier
    """
    call = head_scores.observed_call(draw.weights)
    same(call.args[0], draw.weights, tr("{name} after the call", name="weights"))
    again, other = head_scores(draw.weights), head_scores(plant(draw.weights.shape[-1]).weights[:2])
    for name in NAMES[:3]:
        score = score_of(call.answer, name, draw)
        same(score_of(again, name, draw), score, tr("the output of the second call"))
    scores = [score_of(call.answer, name, draw)[0] for name in NAMES[:3]]
    others = [score_of(other, name, Attentions(draw.weights[:2]))[0] for name in NAMES[:3]]
    message = tr("the scores are the same where other keys are looked at")
    require(any(not torch.equal(*pair) for pair in zip(scores, others, strict=True)), message)
    return None if call.random_state_kept else tr(properties.RANDOM)


def diagnostic_draws(seed: int) -> list[Attentions]:
    """Draws that tell the known mistakes apart."""
    of_zeros = plant(5).weights.double()
    return [
        *(_make_attentions(3, 6, seed + n, torch.float64) for n in range(3)),
        Attentions(torch.cat([of_zeros, _make_attentions(1, 5, seed + 3, torch.float64).weights])),
        _make_attentions(4, 3, seed + 4, torch.float64),
        _make_attentions(2, 2, seed + 5, torch.float64),
    ]


options = Options(diagnostic_draws=diagnostic_draws)
