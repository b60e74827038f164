"""rotary(x, base=10000.0, offset=0): (B, H, S, D) turned by position, the halves of D as pairs."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import torch
from torch import Tensor

from graders.check_api import properties
from graders.check_api.behaviour import BehaviourTrial
from graders.check_api.check import Candidate, Target, agree, alike, check, require
from graders.check_api.compare import is_near
from graders.check_api.options import Options
from graders.check_api.standard_checks import function_checks
from graders.check_api.standard_checks.tensor_function_checks import TensorFunctionChecks
from graders.check_api.strategies.drawn import Drawn
from graders.check_api.strategies.shaped_by import ShapedBy
from graders.check_api.strategies.tensors import normal
from graders.language import tr

USUAL_BASE = 10000.0


@dataclass(frozen=True, eq=False)
class Turned(Drawn):
    """Queries or keys (B, H, S, D); the base and the offset, or their defaults."""

    alive_at: ClassVar[tuple[int, ...]] = (0,)

    x: Tensor
    base: float | None = None
    offset: int | None = None


AXES = "B H S 2D"
plain = ShapedBy(Turned, x=AXES)
from_an_offset = ShapedBy(Turned, x=AXES, base=[USUAL_BASE], offset=[3, 1, 10, 57])
on_another_base = ShapedBy(Turned, x=AXES, base=[100.0, 500000.0, 7.0])
rotary = TensorFunctionChecks(plain, output=AXES)
rotary_from_an_offset = TensorFunctionChecks(from_an_offset, output=AXES)

keeps_the_shape = rotary.keeps_the_shape(points=0.5)
computes_what_the_reference_computes = rotary.computes_what_the_reference_computes(
    points=12,
    says="""column i and column i + D/2 are turned together, by the position times base^(-2i/D)

    fr: la colonne i et la colonne i + D/2 tournent ensemble, de la position fois base^(-2i/D)
    """,
)


def _due_with_plain(draw: Turned, reference: Any) -> tuple[Target, Target]:
    """The output that is due for a draw, and that for its x alone."""
    return rotary.due(draw, reference), rotary.due(Turned(draw.x), reference)


@check(points=5, given=from_an_offset(), answer=_due_with_plain, compares_with_itself=True)
def continues_at_an_offset(candidate: Candidate, draw: Turned, answers: tuple[Target, Target]) -> None:
    """with an offset, the entries are turned as those that begin there in a longer sequence

    fr: avec un offset, les entrées tournent comme celles qui commencent là dans une séquence plus longue
    """
    output = rotary.output_of(candidate, draw)
    before = normal(*draw.x.shape[:2], int(draw.offset or 0), draw.x.shape[-1], seed=5)
    whole = rotary.output_of(candidate, Turned(torch.cat([before, draw.x], 2)))
    alike(output, whole[:, :, before.shape[2] :], tr("the output from an offset on, against that of a whole"))
    if is_near(rotary.output_of(candidate, Turned(draw.x)), answers[1]):
        agree(output, answers[0])


@check(points=5, given=on_another_base(), answer=_due_with_plain, compares_with_itself=True)
def takes_another_base(candidate: Candidate, draw: Turned, answers: tuple[Target, Target]) -> None:
    """with another base, the angles of later columns fall faster or slower

    fr: avec une autre base, les angles des colonnes suivantes diminuent plus vite ou moins vite
    """
    output, usual = (rotary.output_of(candidate, each) for each in (draw, Turned(draw.x)))
    if is_near(usual, answers[1]):
        agree(output, answers[0])
    else:
        require(not torch.equal(output, usual), tr("the output is the same for another base"))
        alike(rotary.output_of(candidate, draw), output, tr("the output of the second call"))


@check(points=1.5, given=plain())
def keeps_lengths(candidate: Candidate, draw: Turned) -> None:
    """a rotation changes no length: each position of each head keeps the sum of its squares

    fr: une rotation ne change aucune longueur : chaque position de chaque tête garde la somme de ses carrés
    """
    output = rotary.output_of(candidate, draw)
    alike(output.pow(2).sum(-1), draw.x.pow(2).sum(-1), tr("the sum of the squares of each position"))


@check(points=2, given=plain())
def depends_on_distance_alone(candidate: Candidate, draw: Turned) -> None:
    """the product of a query and a key depends on their distance, and not on where they stand

    fr: le produit d'une requête et d'une clé dépend de leur distance, et non de l'endroit où elles sont
    """
    query, key = (rotary.output_of(candidate, replace(draw, x=_everywhere(draw.x, n))) for n in (0, -1))
    scores = query @ key.transpose(-2, -1)
    alike(scores[..., 1:, 1:], scores[..., :-1, :-1], tr("the products one position further"))
    message = tr("the products of a query with all keys are the same: no position shows")
    require(not torch.equal(scores[..., 0, 1:], scores[..., 0, :-1]), message)


def _everywhere(x: Tensor, position: int) -> Tensor:
    """The values of one position at all positions, and more positions than x has."""
    return x[:, :, position].unsqueeze(2).expand(-1, -1, x.shape[2] + 2, -1).contiguous()


@check(points=1, given=plain())
def leaves_position_0_as_it_is(candidate: Candidate, draw: Turned) -> None:
    """without an offset, the first position stays as it is, and the others do not

    fr: sans offset, la première position reste telle quelle, et les autres non
    """
    output = rotary.output_of(candidate, draw)
    alike(output[:, :, 0], draw.x[:, :, 0], tr("the first position"))
    for place in range(1, draw.x.shape[2]):
        message = tr("position {place} stays as it is", place=place)
        require(not torch.equal(output[:, :, place], draw.x[:, :, place]), message)


@check(points=0.5, given=from_an_offset())
def treats_heads_and_sequences_apart(candidate: Candidate, draw: Turned) -> None:
    """each head of each sequence is answered as if it were alone

    fr: chaque tête de chaque séquence reçoit la même réponse que seule
    """
    output = rotary.output_of(candidate, draw)
    for n in range(draw.x.shape[0]):
        for h in range(draw.x.shape[1]):
            alone = candidate(*replace(draw, x=draw.x[n : n + 1, h : h + 1].clone()).arguments)
            alike(properties.first_tensor(alone), output[n : n + 1, h : h + 1], tr("a head alone"))


takes_heads_from_a_transpose = function_checks.takes_what_a_transpose_leaves(
    points=0.5, names="x", given=plain(), shape_only=True
)
answers_the_smallest_sizes = rotary_from_an_offset.answers_the_smallest_sizes("H", "S", "D", points=0.5)
answers_extreme_sizes = rotary.answers_extreme_sizes("B", "H", "S", "D", points=1)
computes_in_double_precision = rotary.computes_in_double_precision(points=1)
passes_gradients_back = rotary.passes_gradients_back(points=1)
leaves_its_argument_alone = rotary.leaves_its_arguments_alone(points=0.5)


def _turn_after_a_transpose(candidate: Candidate) -> Any:
    """The output for queries that come from a transpose."""
    return properties.first_tensor(candidate(candidate.transposed(plain.usual(1).x, 1, 2)))


def diagnostic_draws(seed: int) -> list[Any]:
    """Draws of fixed sizes in float64 that tell the known mistakes apart."""

    def make(batch: int, heads: int, length: int, pairs: int, *given: Any) -> Turned:
        x = normal(batch, heads, length, 2 * pairs, seed=seed + length, dtype=torch.float64)
        return Turned(x, *given)

    return [
        make(2, 3, 5, 4),
        make(2, 3, 5, 4, USUAL_BASE, 4),
        make(2, 3, 5, 4, 300.0),
        make(3, 2, 7, 2, 50.0, 9),
        make(2, 4, 3, 3),
        make(1, 2, 70, 2),
        BehaviourTrial(_turn_after_a_transpose),
    ]


options = Options(diagnostic_draws=diagnostic_draws)
