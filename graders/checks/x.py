"""x(x): each position without the mean of its values."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api import properties
from graders.check_api.check import Candidate, Target, agree, alike, check, require, shaped, targets, tensor
from graders.check_api.compare import is_near
from graders.check_api.options import Options
from graders.check_api.strategies.tensors import normal, seeds, sizes
from graders.language import tr


@dataclass(frozen=True, eq=False)
class Input:
    """The argument of a call."""

    x: Tensor

    @property
    def arguments(self) -> list[Tensor]:
        """Those of a call."""
        return [self.x]


@st.composite
def inputs(draw: st.DrawFn, least: int = 1, dtype: torch.dtype = torch.float32) -> Input:
    """Inputs (B, S, E) of all small sizes."""
    shape = (draw(sizes(1, 3)), draw(sizes(least, 5)), draw(sizes(2, 6)))
    return Input(normal(*shape, seed=draw(seeds()), dtype=dtype))


def answer(draw: Input, reference: Callable[[Tensor], Tensor]) -> Target:
    """The reference's, with the tolerance that its rounding asks for."""
    return targets(lambda x: (reference(x),), [draw.x])[0]


def answer_with_gradient(draw: Input, reference: Callable[[Tensor], Tensor]) -> tuple[Target, Target]:
    """The reference's answer, and the gradient of x where that of the output is `upstream`."""

    def compute(x: Tensor) -> Sequence[Tensor]:
        return torch.autograd.grad(reference(x.requires_grad_()), [x], upstream(x))

    return answer(draw, reference), targets(compute, [draw.x])[0]


def upstream(x: Tensor) -> Tensor:
    """A gradient of the output."""
    return normal(*x.shape, seed=1, dtype=x.dtype)


def output_of(candidate: Candidate, x: Tensor) -> Tensor:
    """The output, of the shape of x. It stays where all values are moved: x itself would not."""
    output = tensor(candidate(x))
    shaped(output, tuple(x.shape))
    alike(candidate(x + 1), output)
    return output


@check(
    points=1,
    given=inputs(),
    shape_only=True,
    kept_because="every wrong shape fails other checks too; here it is said to be one",
)
def keeps_the_shape(candidate: Candidate, draw: Input) -> None:
    """(B, S, E) stays (B, S, E)

    fr: (B, S, E) reste (B, S, E)
    """
    shaped(tensor(candidate(draw.x)), tuple(draw.x.shape))


@check(points=5, given=inputs(), answer=answer, core=True)
def computes_what_the_reference_computes(candidate: Candidate, draw: Input, expected: Target) -> None:
    """the output is the reference's

    fr: la sortie est celle de la référence
    """
    agree(candidate(draw.x), expected)


@check(points=1, given=inputs(dtype=torch.float64), draws=10)
def computes_in_double_precision(candidate: Candidate, draw: Input) -> None:
    """in float64 the answer is of float64, and the same as in float32

    fr: en float64, la réponse est en float64, et la même qu'en float32
    """
    output, single = output_of(candidate, draw.x), output_of(candidate, draw.x.float())
    message = tr("the dtype should stay {due}, but is {dtype}", due=draw.x.dtype, dtype=output.dtype)
    require(output.dtype == draw.x.dtype, message)
    alike(output.float(), single)
    properties.depends_on(candidate, output, [draw.x.square()])


@check(points=3, given=inputs(least=2))
def treats_positions_apart(candidate: Candidate, draw: Input) -> None:
    """every position is treated by itself

    fr: chaque position est traitée à part
    """
    output = output_of(candidate, draw.x)
    for n in range(draw.x.shape[1]):
        alike(candidate(draw.x[:, n : n + 1]), output[:, n : n + 1])
    properties.depends_on(candidate, output, [draw.x.square()])


@check(points=2, given=inputs(), answer=answer_with_gradient)
def passes_gradients_back(candidate: Candidate, draw: Input, expected: tuple[Target, Target]) -> None:
    """a gradient reaches x; where the output is right, it is the reference's

    fr: un gradient atteint x ; là où la sortie est juste, c'est celui de la référence
    """
    gradients = candidate.gradients(draw.x, upstream=[upstream(draw.x)])
    gradient = tensor(gradients.inputs[0])
    if is_near(tensor(gradients.answer), expected[0]):
        agree(gradient, expected[1])
    require(bool((gradient != 0).any()), tr("the gradient of x is zero everywhere"))


@check(points=1, given=inputs(least=2), on_its_word=True)
def leaves_its_argument_alone(candidate: Candidate, draw: Input) -> str | None:
    """x keeps its values, and the second call answers as the first

    fr: x garde ses valeurs, et le second appel répond comme le premier
    """
    properties.depends_on(candidate, output_of(candidate, draw.x), [draw.x.square()])
    return properties.leaves_alone(candidate, [draw.x], "x")


def diagnostic_draws(seed: int) -> list[Input]:
    """Inputs on which every known mistake differs from the reference and from every other mistake."""
    shapes = [(2, 5, 6)] * 3 + [(1, 4, 6), (3, 2, 4), (2, 3, 7)]
    return [Input(normal(*shape, seed=seed + n, dtype=torch.float64)) for n, shape in enumerate(shapes)]


options = Options(diagnostic_draws=diagnostic_draws)
