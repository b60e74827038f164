"""concat_heads(x): (B, H, S, D) -> (B, S, H*D), the inverse of split_heads."""

from functools import partial
from typing import Any

import torch

from graders.check_api.behaviour import BehaviourTrial
from graders.check_api.check import Candidate, Stretched, check, require, same, shaped, tensor
from graders.check_api.compare import has_dtype, is_same
from graders.check_api.leading_axes import BatchAxes
from graders.check_api.options import Options
from graders.check_api.properties import depends_on, gradient_comes_from_where_values_went, leaves_alone
from graders.check_api.standard_checks import function_checks
from graders.check_api.strategies.tensors import Heads, heads, normal
from graders.language import tr


def by_loops(draw: Heads) -> torch.Tensor:
    """The definition: column h*D + d of the answer is column d of head h."""
    batch, count, length, width = draw.x.shape
    joined = torch.empty(batch, length, count * width, dtype=draw.x.dtype)
    for h in range(count):
        for d in range(width):
            joined[:, :, h * width + d] = draw.x[:, h, :, d]
    return joined


def output_of(concat_heads: Candidate, draw: Heads) -> torch.Tensor:
    """The answer, of the shape that is due."""
    answer = tensor(concat_heads(draw.x))
    shaped(answer, tuple(by_loops(draw).shape))
    return answer


def agrees(output: torch.Tensor, draw: Heads) -> None:
    """Require the values that are due."""
    same(output, by_loops(draw))


@check(points=1, given=heads(), shape_only=True)
def joins_widths_to_one(concat_heads: Candidate, draw: Heads) -> None:
    """(B, H, S, D) becomes (B, S, H*D), in the same dtype

    fr: (B, H, S, D) devient (B, S, H*D), dans le même dtype
    """
    batch, count, length, width = draw.x.shape
    joined = tensor(concat_heads(draw.x))
    shaped(joined, (batch, length, count * width))
    has_dtype(joined, draw.x.dtype)


@check(points=5, given=heads(), answer=by_loops, core=True)
def puts_each_head_in_its_columns(concat_heads: Candidate, draw: Heads, joined: torch.Tensor) -> None:
    """the columns h*D up to (h+1)*D hold head h

    fr: les colonnes h*D à (h+1)*D contiennent la tête h
    """
    same(concat_heads(draw.x), joined)


@check(points=2, given=heads())
def loses_no_value(concat_heads: Candidate, draw: Heads) -> None:
    """each position holds all values of its heads, each once

    fr: chaque position contient toutes les valeurs de ses têtes, chacune une fois
    """
    batch, count, length, width = draw.x.shape
    joined = tensor(concat_heads(draw.x))
    shaped(joined, (batch, length, count * width))
    values = draw.x.transpose(1, 2).reshape(batch, length, -1).sort(-1).values
    same(joined.double().sort(-1).values, values, tr("the values of each position, sorted,"))


@check(points=1, given=heads())
def keeps_positions_apart(concat_heads: Candidate, draw: Heads) -> None:
    """a position of the answer depends on the same position of the same sequence alone

    fr: une position de la réponse ne dépend que de la même position de la même séquence
    """
    changed = draw.x.clone()
    changed[0, :, 0] *= 2  # exact in every dtype
    before, after = tensor(concat_heads(draw.x)), tensor(concat_heads(changed))
    batch, count, length, width = draw.x.shape
    shaped(before, (batch, length, count * width))
    expected = before.to(draw.x.dtype, copy=True)
    expected[0, 0] *= 2
    same(after, expected, tr("the output after a change at the first position of the first sequence"))


@check(points=1, given=heads())
def passes_gradients_back(concat_heads: Candidate, draw: Heads) -> None:
    """the gradient of each input comes from the place it went to

    fr: le gradient de chaque entrée vient de l'endroit où elle est allée
    """
    gradient_comes_from_where_values_went(concat_heads, draw.x)


answers_the_smallest_sizes = function_checks.answers_the_smallest_sizes(
    points=1,
    given=[heads(corner="B"), heads(corner="S"), heads(corner="H"), heads(corner="D")],
    output_of=output_of,
    agrees=agrees,
    shape_only=True,
    usual=lambda seed: diagnostic_draws(seed),
)


# x in another shape keeps its values too: that its layout is wrong is for other checks to say.
@check(points=1, given=heads(), on_its_word=True, shape_only=True)
def leaves_its_input_alone(concat_heads: Candidate, draw: Heads) -> str | None:
    """x keeps its values, and the same call answers the same again

    fr: x garde ses valeurs, et le même appel donne encore la même réponse
    """
    changed = draw.x.clone()
    changed[0, 0, -1] += 1
    output = tensor(concat_heads(draw.x))
    require(output.dim() == 3, tr("the output should have 3 axes (B, S, E), but has {n}", n=output.dim()))
    depends_on(concat_heads, output, [changed])
    return leaves_alone(concat_heads, [draw.x], "x")


def sized(batch: int, count: int, length: int, width: int, seed: int) -> Heads:
    """Heads of these sizes."""
    return Heads(normal(batch, count, length, width, seed=seed))


# Here, too, x in another shape is answered alike: that its layout is wrong is for other checks to say.
takes_heads_from_a_transpose = function_checks.takes_what_a_transpose_leaves(
    points=1, names="x", shape_only=True, fixed=[partial(sized, 2, 3, 5, 4)]
)


@check(
    points=1,
    answer=by_loops,
    compares_with_itself=True,
    shape_only=True,  # code that is wrong has to answer alike, and nothing else
    at_length=lambda n: heads(length=n),
    fixed=[partial(sized, 3, 3, 3, 3), partial(sized, 2, 2, 4, 3)],
    stretched=[
        Stretched(lambda n, seed: sized(n, 2, 3, 4, seed)),
        Stretched(lambda n, seed: sized(2, n, 3, 4, seed)),
        Stretched(lambda n, seed: sized(2, 3, 4, n, seed)),
    ],
)
def joins_extreme_sizes(concat_heads: Candidate, draw: Heads, joined: torch.Tensor) -> None:
    """large sizes, and sizes that are equal, are joined as others are

    fr: de grandes tailles, et des tailles égales, sont réunies comme les autres
    """
    output, usual = tensor(concat_heads(draw.x)), sized(2, 3, 5, 4, seed=1)
    if is_same(concat_heads(usual.x), by_loops(usual)):
        same(output, joined)
    else:
        shaped(output, tuple(joined.shape))
        same(concat_heads(draw.x), output, tr("the output of the second call"))


def _join_after_a_transpose(draw: Heads, candidate: Candidate) -> Any:
    """The output for heads that come from a transpose."""
    return candidate(candidate.transposed(draw.x, 1, 2))


def diagnostic_draws(seed: int) -> list[Any]:
    """Draws of fixed sizes in float64 that tell the known mistakes apart."""
    sizes = [(2, 3, 5, 4), (2, 3, 5, 4), (2, 3, 5, 4), (2, 3, 3, 4), (1, 2, 4, 5), (3, 1, 2, 3), (2, 4, 1, 1)]
    sizes += [(1, 70, 2, 1)]  # more heads than a limit that code may have
    draws = [
        Heads(normal(*shape, seed=seed + number, dtype=torch.float64)) for number, shape in enumerate(sizes)
    ]
    return [*draws, BehaviourTrial(partial(_join_after_a_transpose, draws[0]))]


options = Options(diagnostic_draws=diagnostic_draws, batch=BatchAxes("joins_widths_to_one"))
