"""causal_conv1d(x, weight, bias=None): (B, S, I) and (O, I, K) -> (B, S, O), without a look ahead."""

from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api import mask_properties
from graders.check_api.check import (
    Candidate,
    Target,
    agree,
    alike,
    check,
    shaped,
    targets,
    tensor,
)
from graders.check_api.compare import is_near
from graders.check_api.options import Options
from graders.check_api.standard_checks import function_checks
from graders.check_api.strategies.drawn import Drawn
from graders.check_api.strategies.lengths import of_length
from graders.check_api.strategies.tensors import hidden, input_values, lengths, normal, seeds, several, sizes
from graders.language import tr


@dataclass(frozen=True, eq=False)
class Convolved(Drawn):
    """An input (B, S, I), a weight (O, I, K) and a bias (O,) or None."""

    alive_at: ClassVar[tuple[int, ...]] = (0, 1)

    x: Tensor
    weight: Tensor
    bias: Tensor | None = None
    seed: int = field(default=0, metadata=hidden)

    @property
    def shape(self) -> tuple[int, int, int]:
        """The shape of the output."""
        return self.x.shape[0], self.x.shape[1], self.weight.shape[0]


@st.composite
def inputs(
    draw: st.DrawFn,
    least: int = 2,
    most: int = 7,
    biased: bool = True,
    dtype: torch.dtype = torch.float32,
    corner: str = "",
) -> Convolved:
    """An input of any length, a kernel of two to four taps, with a bias or without.

    `corner` names what is 1: "length", "wide", "out" or "taps". One sequence is for another check.
    """
    batch, length, seed = draw(several()), draw(lengths(least, most, corner)), draw(seeds())
    wide, out, taps = (1 if corner == name else draw(sizes()) for name in ("wide", "out", "taps"))
    return _convolved((batch, length, wide), out, taps, seed, biased, dtype)


def _convolved(
    shape: tuple[int, int, int], out: int, taps: int, seed: int, biased: bool, dtype: torch.dtype
) -> Convolved:
    x = input_values(*shape, seed=seed, dtype=dtype)
    # Plain weights may sum to zero: the output then stays the same where the input grows everywhere.
    weight = normal(out, shape[-1], taps, seed=seed + 1, dtype=dtype)
    return Convolved(x, weight, input_values(out, seed=seed + 2, dtype=dtype) if biased else None, seed)


def compute_output(draw: Convolved) -> Target:
    """The output by its definition."""
    return targets(lambda *given: [_convolve(*given)], draw.arguments)[0]


def compute_with_gradients(draw: Convolved) -> tuple[Target, ...]:
    """The output, and its gradients for x, weight and bias."""
    upstream = _upstream(draw)

    def compute(*given: Tensor) -> list[Tensor]:
        leaves = [value.clone().requires_grad_() for value in given]
        output = _convolve(*leaves)
        return list(torch.autograd.grad((output * upstream.to(output.dtype)).sum(), leaves))

    return compute_output(draw), *targets(compute, draw.arguments, one_scale=True)


def _upstream(draw: Convolved) -> Tensor:
    return normal(*draw.shape, seed=draw.seed + 3, dtype=draw.x.dtype)


def _convolve(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    taps, length = weight.shape[-1], x.shape[1]
    output = x.new_zeros(*x.shape[:2], weight.shape[0])
    for back in range(min(taps, length)):
        seen = x[:, : length - back] @ weight[:, :, taps - 1 - back].T
        output = output + torch.nn.functional.pad(seen, (0, 0, back, 0))
    return output if bias is None else output + bias


def output_of(causal_conv1d: Candidate, draw: Convolved, *arguments: Any) -> Tensor:
    """The output for a draw, or for these arguments of the same shapes; it must have its shape."""
    output = tensor(causal_conv1d(*(arguments or draw.arguments)))
    shaped(output, draw.shape)
    return output


def agrees(output: Tensor, draw: Convolved) -> None:
    """Require the output that is due."""
    agree(output, compute_output(draw))


@check(points=1, given=inputs(), shape_only=True)
def keeps_the_positions(causal_conv1d: Candidate, draw: Convolved) -> None:
    """(B, S, I) becomes (B, S, O)

    fr: (B, S, I) devient (B, S, O)
    """
    output_of(causal_conv1d, draw)


@check(points=8, given=inputs(), answer=compute_output, core=True)
def sums_what_the_kernel_covers(causal_conv1d: Candidate, draw: Convolved, answer: Target) -> None:
    """the output is the sum of weight times x over the last K positions, plus the bias

    fr: la sortie est la somme des weight fois x sur les K dernières positions, plus le biais
    """
    agree(output_of(causal_conv1d, draw), answer)


@check(points=2, given=inputs(biased=False), answer=compute_output, compares_with_itself=True)
def does_without_a_bias(causal_conv1d: Candidate, draw: Convolved, answer: Target) -> None:
    """without a bias, nothing is added

    fr: sans biais, rien n'est ajouté
    """
    output = output_of(causal_conv1d, draw)
    zeros = output_of(causal_conv1d, draw, *draw.arguments, torch.zeros(draw.shape[-1]))
    if is_near(zeros, answer):
        agree(output, answer)
    alike(output, zeros, tr("the output without a bias, against that for a bias of zeros"))


@check(points=3, given=inputs())
def does_not_look_ahead(causal_conv1d: Candidate, draw: Convolved) -> None:
    """a change at the last position changes the last output alone

    fr: un changement à la dernière position ne change que la dernière sortie
    """
    changed = torch.cat([draw.x[:, :-1], draw.x[:, -1:] + 1], 1)
    mask_properties.does_not_look_ahead(causal_conv1d, draw.arguments, changed)


@check(points=2, given=inputs())
def looks_by_distance_alone(causal_conv1d: Candidate, draw: Convolved) -> None:
    """a sequence that begins later has the same outputs, as much later

    fr: une séquence qui commence plus tard a les mêmes sorties, d'autant plus tard
    """
    steps = draw.weight.shape[-1]
    later = torch.cat([torch.zeros_like(draw.x[:, :1]).expand(-1, steps, -1), draw.x], 1)
    output = output_of(causal_conv1d, draw)
    shifted = tensor(causal_conv1d(later, *draw.arguments[1:]))
    shaped(shifted, (len(later), later.shape[1], draw.shape[-1]))
    alike(shifted[:, steps:], output, tr("the output for a sequence that begins later"))


@check(points=1, given=inputs())
def treats_sequences_apart(causal_conv1d: Candidate, draw: Convolved) -> None:
    """each sequence of a batch is answered as if it were alone

    fr: chaque séquence d'un lot reçoit la même réponse que seule
    """
    output = output_of(causal_conv1d, draw)
    for number in range(len(draw.x)):
        alone = tensor(causal_conv1d(draw.x[number : number + 1], *draw.arguments[1:]))
        alike(alone, output[number : number + 1], tr("a sequence alone"))


def sized(batch: int, length: int, wide: int, out: int, taps: int, seed: int) -> Convolved:
    """An input, a kernel and a bias of these sizes."""
    return _convolved((batch, length, wide), out, taps, seed, True, torch.float32)


answers_extreme_sizes = function_checks.answers_extreme_sizes(
    points=1,
    at_length=of_length(inputs),
    answer=compute_output,
    output_of=output_of,
    usual=partial(sized, 2, 6, 5, 4, 3),
    fixed=[partial(sized, 3, 3, 3, 3, 3), partial(sized, 2, 4, 3, 5, 9)],
    stretched=[
        lambda n, seed: sized(n, 3, 2, 4, 5, seed),
        lambda n, seed: sized(2, 4, n, 3, 5, seed),
        lambda n, seed: sized(2, 4, 3, n, 5, seed),
        lambda n, seed: sized(2, 4, 3, 5, n, seed),
        lambda n, seed: sized(2, n + 3, 2, 3, n, seed),
    ],
)
takes_a_kernel_of_one_tap = function_checks.answers_the_smallest_sizes(
    points=1.5,
    given=[inputs(corner="taps")],
    output_of=output_of,
    agrees=agrees,
    usual=lambda seed: diagnostic_draws(seed),
    says="""with a kernel of one tap, each output is made of its own position

    fr: avec un noyau d'une seule case, chaque sortie est faite de sa propre position
    """,
)
answers_the_smallest_sizes = function_checks.answers_the_smallest_sizes(
    points=0.5,
    given=[inputs(corner="length"), inputs(corner="wide"), inputs(corner="out")],
    output_of=output_of,
    agrees=agrees,
    usual=lambda seed: diagnostic_draws(seed),
)


computes_in_double_precision = function_checks.computes_in_double_precision(
    points=1, given=inputs(dtype=torch.float64), answer=compute_output, output_of=output_of
)


passes_gradients_back = function_checks.passes_gradients_back(
    points=2, given=inputs(), answer=compute_with_gradients, upstream=_upstream, names=("x", "weight", "bias")
)


leaves_its_arguments_alone = function_checks.leaves_its_arguments_alone(points=1, given=inputs())


def diagnostic_draws(seed: int) -> list[Convolved]:
    """Draws that tell the known mistakes apart; the first three have the same sizes, all different."""
    usual = [((2, 6, 5), 4, 3, True)] * 3
    others = [
        ((3, 4, 2), 2, 4, True),
        ((1, 7, 3), 1, 2, False),
        ((2, 3, 3), 5, 5, True),
        ((2, 4, 3), 2, 1, True),
    ]
    others += [((1, 70, 1), 2, 66, True)]  # more taps than a limit that code may have
    return [
        _convolved(shape, out, taps, seed + 10 * n, biased, torch.float64)
        for n, (shape, out, taps, biased) in enumerate(usual + others)
    ]


options = Options(diagnostic_draws=diagnostic_draws)
