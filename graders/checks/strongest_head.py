"""strongest(attentions, kind) -> (layer, head): of all heads of a model, the one that does it most."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import count, cycle
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api import properties
from graders.check_api.check import Candidate, Violation, check, kind, number, require, same
from graders.check_api.options import Options
from graders.check_api.strategies.tensors import hidden, normal, seeds, sizes
from graders.language import tr

KINDS = ("previous", "first", "self", "entropy")
HIGHEST, LOWEST = KINDS[:3], "entropy"
CLEAR = 0.02  # between the best score and the next: no order of summation changes which is the best

Place = tuple[int, int]


@dataclass(frozen=True)
class Attended:
    """The sizes of a model's attention weights, and what is asked for.

    `equals` are the heads that do it alike, and no other as much; empty where nothing is planted.
    """

    layers: int
    batch: int
    num_heads: int
    length: int
    kind: str
    equals: tuple[Place, ...] = ()
    seed: int = field(default=0, metadata=hidden)

    @property
    def attentions(self) -> tuple[Tensor, ...]:
        """A tensor (B, H, S, S) for each layer; rows sum to 1."""
        shape = (self.layers, self.batch, self.num_heads, self.length, self.length)
        if not self.equals:
            return normal(*shape, seed=self.seed, scale=1.5).softmax(-1).unbind(0)
        weights = torch.full(shape, 1 / self.length)
        for layer, head in self.equals:
            weights[layer, :, head] = plant(self.kind, self.length)
        return weights.unbind(0)

    @property
    def arguments(self) -> list[Any]:
        """The arguments of a call."""
        return [self.attentions, self.kind]

    @property
    def scores(self) -> Tensor:
        """The score of each head in each sequence by its definition, (L, B, H)."""
        return score_of(torch.stack(self.attentions).double(), self.kind)

    @property
    def due(self) -> Place:
        """The layer and the head that are asked for."""
        return best(self.scores.mean(1), self.kind)


def plant(kind: str, length: int) -> Tensor:
    """The weights (S, S) of a head that does nothing else: of exactly 0 and 1."""
    itself = torch.eye(length)
    if kind == "previous":
        return torch.cat([itself[:1], itself[:-1]])
    return itself if kind == "self" else itself[:1].expand(length, -1)


def score_of(weights: Tensor, kind: str) -> Tensor:
    """One of the scores of `head_scores`, of weights (..., S, S)."""
    if kind == LOWEST:
        entropies: Tensor = torch.special.entr(weights)
        return entropies.sum(-1).mean(-1)
    if kind == "first":
        return weights[..., 0].mean(-1)
    return weights.diagonal(-1 if kind == "previous" else 0, -2, -1).mean(-1)


def best(scores: Tensor, kind: str) -> Place:
    """The place of the first that is best in a table (L, H)."""
    at = int(scores.argmin() if kind == LOWEST else scores.argmax())
    return divmod(at, scores.shape[1])


def _is_clear(draw: Attended) -> bool:
    """Whether one head is clearly the best; of several sequences, neither the first nor the best says so."""
    scores = draw.scores
    means = scores.mean(1).flatten().sort(descending=draw.kind != LOWEST).values
    if len(means) > 1 and abs(float(means[0] - means[1])) < CLEAR:
        return False
    return draw.batch == 1 or draw.due not in _of_single_sequences(draw)


def _of_single_sequences(draw: Attended) -> tuple[Place, Place]:
    """The best heads of the first sequence, and of the sequence in which one is best of all."""
    extreme = draw.scores.amin(1) if draw.kind == LOWEST else draw.scores.amax(1)
    return best(draw.scores[:, 0], draw.kind), best(extreme, draw.kind)


def clear(draw: Attended) -> Attended:
    """The same sizes with the first seed from its own on that leaves no doubt about the best head."""
    return next(again for seed in count(draw.seed) if _is_clear(again := replace(draw, seed=seed)))


def clear_and_apart(draw: Attended) -> Attended:
    """As `clear`; of several sequences, the first and the best also differ from each other."""
    again = clear(draw)
    while len(set(_of_single_sequences(again))) == 1:
        again = clear(replace(again, seed=again.seed + 1))
    return again


@st.composite
def attended(
    draw: st.DrawFn, kinds: Sequence[str] = KINDS, batches: tuple[int, int] = (1, 1), fewest: int = 2
) -> Attended:
    """At least `fewest` layers, or one alone; heads and a kind; one head is clearly the best."""
    layers, heads = draw(sizes(fewest, 3 if fewest > 1 else 1)), draw(sizes(2, 4))
    batch, length = draw(sizes(*batches)), draw(sizes(2, 6))
    return clear(Attended(layers, batch, heads, length, draw(st.sampled_from(kinds)), seed=draw(seeds())))


@st.composite
def equal(draw: st.DrawFn) -> Attended:
    """Two or three heads that do it alike, of which the first is not the first of all."""
    layers, heads, length = draw(sizes(2, 3)), draw(sizes(3, 4)), draw(sizes(2, 5))
    places = [(layer, head) for layer in range(layers) for head in range(heads)][1:]
    chosen = draw(st.lists(st.sampled_from(places), min_size=2, max_size=3, unique=True))
    batch, kind = draw(sizes(1, 2)), draw(st.sampled_from(KINDS))
    return Attended(layers, batch, heads, length, kind, tuple(sorted(chosen)))


def place(strongest: Candidate, draw: Attended) -> Place:
    """The answer as a pair of ints, which it is required to be; one check is about their type."""
    answer = strongest(*draw.arguments)
    if isinstance(answer, Tensor) and answer.shape == (2,):
        answer = tuple(answer)
    message = tr("the answer should be the pair (layer, head), but is {kind}", kind=kind(answer))
    require(isinstance(answer, tuple | list) and len(answer) == 2, message)
    return _whole(answer[0], message), _whole(answer[1], message)


def _whole(value: Any, message: str) -> int:
    """A whole number, also one that stands in a tensor or is a float."""
    if isinstance(value, Tensor) and value.numel() == 1:
        value = value.item()
    whole = type(value) is int or (type(value) is float and value.is_integer())
    require(whole, message)
    return int(value)


def require_found(strongest: Candidate, draw: Attended) -> None:
    """Require the head that is due; a message has both scores, where the answer is a head."""
    found, due = place(strongest, draw), draw.due
    scores = draw.scores.mean(1)
    is_head = 0 <= found[0] < draw.layers and 0 <= found[1] < draw.num_heads
    message = tr(
        'the best head for "{kind}" is {due}, with {score}; the answer is {found}',
        kind=draw.kind,
        due=due,
        score=number(float(scores[due])),
        found=found,
    )
    if is_head:
        message = tr("{message}, with {score}", message=message, score=number(float(scores[found])))
    require(found == due, message)


@check(points=1, given=[attended(), attended(fewest=1)], shape_only=True)
def names_a_layer_and_a_head(strongest: Candidate, draw: Attended) -> None:
    """the answer is a pair of ints: the index of a layer and that of a head, in one layer too

    fr: la réponse est une paire d'int : l'indice d'une couche et celui d'une tête, dans une seule couche
    aussi
    """
    answer = strongest(*draw.arguments)
    message = tr("the answer should be the pair (layer, head), but is {kind}", kind=kind(answer))
    require(isinstance(answer, tuple | list) and len(answer) == 2, message)
    for value, most in zip(answer, (draw.layers, draw.num_heads), strict=True):
        message = tr("the answer should be of ints, but there is {kind}", kind=kind(value))
        require(type(value) is int, message)
        message = tr("{found} is no index: there are {n}", found=value, n=most)
        require(0 <= value < most, message)


@check(points=8, given=attended(HIGHEST), core=True)
def finds_the_highest_score(strongest: Candidate, draw: Attended) -> None:
    """for "previous", "first" and "self", it is the head with the highest score in all layers

    fr: pour "previous", "first" et "self", c'est la tête de plus haut score de toutes les couches
    """
    require_found(strongest, draw)


@check(points=4, given=attended((LOWEST,)))
def finds_the_surest_head(strongest: Candidate, draw: Attended) -> None:
    """for "entropy", it is the head with the lowest

    fr: pour "entropy", c'est la tête de plus basse entropie
    """
    require_found(strongest, draw)


@check(points=4, given=attended(batches=(2, 3)))
def averages_the_sequences(strongest: Candidate, draw: Attended) -> None:
    """in a batch, the score of a head is its mean over all sequences

    fr: dans un lot, le score d'une tête est sa moyenne sur toutes les séquences
    """
    require_found(strongest, draw)


@check(points=4, given=equal())
def takes_the_first_of_equals(strongest: Candidate, draw: Attended) -> None:
    """among equal heads, it is the one in the lowest layer, and there the first

    fr: entre têtes égales, c'est celle de la couche la plus basse, et là, la première
    """
    require_found(strongest, draw)


@check(points=1, given=attended(), on_its_word=True, draws=6)
def leaves_its_arguments_alone(strongest: Candidate, draw: Attended) -> str | None:
    """the weights keep their values, and the second call answers as the first

    fr: les poids gardent leurs valeurs, et le second appel répond comme le premier
    """
    call = strongest.observed_call(*draw.arguments)
    for after, before in zip(call.args[0], draw.attentions, strict=True):
        same(after, before, tr("{name} after the call", name="attentions"))
    first, again = place(strongest, draw), place(strongest, draw)
    message = tr("the second call answers {again}, and the first {first}", again=again, first=first)
    require(first == again, message)
    for other in ((draw.layers - 1, draw.num_heads - 1), (0, 0)):
        try:
            require_found(strongest, replace(draw, equals=(other,)))
        except Violation as wrong:  # an answer that ignores the weights keeps them, too
            raise Violation(tr("this cannot be judged: {why}", why=wrong)) from None
    return None if call.random_state_kept else tr(properties.RANDOM)


def diagnostic_draws(seed: int) -> list[Attended]:
    """Draws that tell the known mistakes apart."""
    asked = ("previous", "entropy", "first", "self", "entropy", "previous", "first")
    sizes = cycle(((4, 2, 3, 5), (2, 3, 5, 7)))
    drawn = [
        clear_and_apart(Attended(*next(sizes), kind, seed=seed + 100 * n)) for n, kind in enumerate(asked)
    ]
    equals = tuple((layer, head) for layer, head in ((1, 1), (1, 2), (3, 0)))
    return [*drawn, Attended(4, 2, 3, 5, "self", equals), Attended(4, 1, 3, 5, "entropy", equals)]


options = Options(diagnostic_draws=diagnostic_draws)
