"""split_heads(x, num_heads): (B, S, E) -> (B, H, S, D), head h being columns h*D up to (h+1)*D."""

from functools import partial

import torch

from graders.check_api.check import Candidate, Stretched, check, require, same, shaped, tensor
from graders.check_api.compare import has_dtype, is_same
from graders.check_api.leading_axes import BatchAxes
from graders.check_api.options import Options
from graders.check_api.properties import depends_on, gradient_comes_from_where_values_went, leaves_alone
from graders.check_api.standard_checks import function_checks
from graders.check_api.strategies.tensors import Joined, joined, normal
from graders.language import tr


def by_loops(draw: Joined) -> torch.Tensor:
    """The definition: column d of head h is column h*D + d of x."""
    batch, length, total = draw.x.shape
    width = total // draw.num_heads
    heads = torch.empty(batch, draw.num_heads, length, width, dtype=draw.x.dtype)
    for h in range(draw.num_heads):
        for d in range(width):
            heads[:, h, :, d] = draw.x[:, :, h * width + d]
    return heads


def output_of(split_heads: Candidate, draw: Joined) -> torch.Tensor:
    """The answer, of the shape that is due."""
    answer = tensor(split_heads(draw.x, draw.num_heads))
    shaped(answer, tuple(by_loops(draw).shape))
    return answer


def agrees(output: torch.Tensor, draw: Joined) -> None:
    """Require the values that are due."""
    same(output, by_loops(draw))


@check(points=1, given=joined(), shape_only=True)
def splits_the_width(split_heads: Candidate, draw: Joined) -> None:
    """(B, S, E) becomes (B, H, S, E/H), in the same dtype

    fr: (B, S, E) devient (B, H, S, E/H), dans le même dtype
    """
    batch, length, total = draw.x.shape
    heads = tensor(split_heads(draw.x, draw.num_heads))
    shaped(heads, (batch, draw.num_heads, length, total // draw.num_heads))
    has_dtype(heads, draw.x.dtype)


@check(points=4, given=joined(), answer=by_loops, core=True)
def gives_each_head_its_columns(split_heads: Candidate, draw: Joined, heads: torch.Tensor) -> None:
    """head h holds the columns h*D up to (h+1)*D of x

    fr: la tête h contient les colonnes h*D à (h+1)*D de x
    """
    same(split_heads(draw.x, draw.num_heads), heads)


@check(points=2, given=joined())
def loses_no_value(split_heads: Candidate, draw: Joined) -> None:
    """the heads of a position hold all its values, each once

    fr: les têtes d'une position contiennent toutes ses valeurs, chacune une fois
    """
    batch, length, total = draw.x.shape
    heads = tensor(split_heads(draw.x, draw.num_heads))
    shaped(heads, (batch, draw.num_heads, length, total // draw.num_heads))
    together = heads.double().transpose(1, 2).reshape(batch, length, total)
    same(together.sort(-1).values, draw.x.sort(-1).values, tr("the values of each position, sorted,"))


@check(points=1, given=joined())
def keeps_positions_apart(split_heads: Candidate, draw: Joined) -> None:
    """a position of a head depends on the same position of the same sequence alone

    fr: une position d'une tête ne dépend que de la même position de la même séquence
    """
    changed = draw.x.clone()
    changed[0, 0] *= 2  # exact in every dtype
    before = tensor(split_heads(draw.x, draw.num_heads))
    after = tensor(split_heads(changed, draw.num_heads))
    require(before.dim() == 4, tr("the output should have 4 axes (B, H, S, D), but has {n}", n=before.dim()))
    expected = before.to(draw.x.dtype, copy=True)
    expected[0, :, 0] *= 2
    same(after, expected, tr("the output after a change at the first position of the first sequence"))


@check(points=1, given=joined())
def passes_gradients_back(split_heads: Candidate, draw: Joined) -> None:
    """the gradient of each input comes from the place it went to

    fr: le gradient de chaque entrée vient de l'endroit où elle est allée
    """
    gradient_comes_from_where_values_went(split_heads, draw.x, draw.num_heads)


answers_the_smallest_sizes = function_checks.answers_the_smallest_sizes(
    points=1,
    given=[joined(corner="B"), joined(corner="S"), joined(corner="H"), joined(corner="D")],
    output_of=output_of,
    agrees=agrees,
    shape_only=True,
    usual=lambda seed: diagnostic_draws(seed),
)


# x in another shape keeps its values too: that its layout is wrong is for other checks to say.
@check(points=1, given=joined(), on_its_word=True, shape_only=True)
def leaves_its_input_alone(split_heads: Candidate, draw: Joined) -> str | None:
    """x keeps its values, and the same call answers the same again

    fr: x garde ses valeurs, et le même appel donne encore la même réponse
    """
    changed = draw.x.clone()
    changed[0, -1] += 1
    output = tensor(split_heads(draw.x, draw.num_heads))
    require(output.dim() == 4, tr("the output should have 4 axes (B, H, S, D), but has {n}", n=output.dim()))
    depends_on(split_heads, output, [changed, draw.num_heads])
    return leaves_alone(split_heads, draw.arguments, "x")


def sized(batch: int, count: int, length: int, width: int, seed: int) -> Joined:
    """Joined heads of these sizes, and their number."""
    return Joined(normal(batch, length, count * width, seed=seed), count)


@check(
    points=1,
    answer=by_loops,
    compares_with_itself=True,
    shape_only=True,  # code that is wrong has to answer alike, and nothing else
    at_length=lambda n: joined(length=n),
    fixed=[partial(sized, 3, 3, 3, 3), partial(sized, 2, 2, 4, 3)],
    stretched=[
        Stretched(lambda n, seed: sized(n, 2, 3, 4, seed)),
        Stretched(lambda n, seed: sized(2, n, 3, 4, seed)),
        Stretched(lambda n, seed: sized(2, 3, 4, n, seed)),
    ],
)
def splits_extreme_sizes(split_heads: Candidate, draw: Joined, heads: torch.Tensor) -> None:
    """large sizes, and sizes that are equal, are split as others are

    fr: de grandes tailles, et des tailles égales, sont séparées comme les autres
    """
    output, usual = tensor(split_heads(*draw.arguments)), sized(2, 3, 5, 4, seed=1)
    if is_same(split_heads(*usual.arguments), by_loops(usual)):
        same(output, heads)
    else:
        shaped(output, tuple(heads.shape))
        same(split_heads(*draw.arguments), output, tr("the output of the second call"))


def diagnostic_draws(seed: int) -> list[Joined]:
    """Draws of fixed sizes in float64 that tell the known mistakes apart."""
    sizes = [
        (2, 5, 12, 3),
        (2, 5, 12, 3),
        (2, 5, 12, 3),
        (2, 3, 12, 3),
        (1, 4, 10, 2),
        (3, 2, 9, 3),
        (2, 4, 6, 1),
        (1, 2, 70, 70),  # more heads than a limit that code may have
    ]
    return [
        Joined(normal(batch, length, width, seed=seed + number, dtype=torch.float64), heads)
        for number, (batch, length, width, heads) in enumerate(sizes)
    ]


options = Options(diagnostic_draws=diagnostic_draws, batch=BatchAxes("splits_the_width"))
