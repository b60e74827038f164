"""LayerNorm(dim, eps=1e-5): each position has mean 0 and variance 1, then gamma and beta act.

The epsilon may stand under the root or beside it, and be anything up to 1e-5 where none is asked for.
"""

from dataclasses import replace
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api import properties, variation
from graders.check_api.check import Candidate, Module, alike, check, require, shaped, tensor
from graders.check_api.options import Options
from graders.check_api.reference_answer import (
    ReferenceAnswer,
    reference_answer,
    reference_answer_with_gradients,
)
from graders.check_api.reference_gradients import agree_gradients
from graders.check_api.strategies.module_inputs import Model
from graders.check_api.strategies.tensors import input_values, normal, seeds, sizes
from graders.check_api.variation import Varied
from graders.language import tr


@st.composite
def norms(draw: st.DrawFn, /, dtype: torch.dtype = torch.float32, **more: Any) -> Model:
    """A width and an input (B, S, E)."""
    width, seed = draw(sizes(2, 6)), draw(seeds())
    shape = (draw(sizes(1, 3)), draw(sizes(1, 5)), width)
    return Model({"dim": width, **more}, input_values(*shape, seed=seed, dtype=dtype), seed=seed)


@st.composite
def roomy(draw: st.DrawFn) -> Model:
    """A norm of width 8, two sequences at least, and two positions at least."""
    seed = draw(seeds())
    shape = (draw(sizes(2, 3)), draw(sizes(2, 5)), 8)
    return Model({"dim": 8}, input_values(*shape, seed=seed), seed=seed)


def _beside_the_root(norm: Any) -> None:
    """Change the reference in place: its epsilon is added to the standard deviation."""
    norm.deviation = lambda x: norm.variance(x).sqrt() + norm.eps


def either(draw: Model, reference: Any) -> ReferenceAnswer:
    """The reference's answer, with the epsilon under the root or beside it."""
    return _joined(
        reference_answer(draw, reference), reference_answer(draw, reference, adapt=_beside_the_root)
    )


def either_with_gradients(draw: Model, reference: Any) -> ReferenceAnswer:
    """The same with gradients."""
    beside = reference_answer_with_gradients(draw, reference, adapt=_beside_the_root)
    return _joined(reference_answer_with_gradients(draw, reference), beside)


def either_in_both_precisions(draw: Model, reference: Any) -> Varied:
    """The answers in float64 and in float32."""
    return Varied(either(draw, reference), either(variation.cast_to_single(draw), reference))


def with_and_without_eps(draw: Model, reference: Any) -> Varied:
    """The answers under the epsilon that is given and under the default."""
    return Varied(
        either(draw, reference), either(replace(draw, config={"dim": draw.config["dim"]}), reference)
    )


def _joined(one: ReferenceAnswer, other: ReferenceAnswer) -> ReferenceAnswer:
    """The first answer, which accepts what the second accepts too."""
    outputs = tuple(a + b for a, b in zip(one.outputs, other.outputs, strict=True))
    gradients = {name: accepted + other.gradients[name] for name, accepted in one.gradients.items()}
    return replace(
        one,
        outputs=outputs,
        gradients=gradients,
        input_gradient=one.input_gradient + other.input_gradient,
    )


@check(
    points=1,
    given=norms(),
    shape_only=True,
    kept_because="every wrong shape fails other checks too; here it is said to be one",
)
def keeps_the_shape(candidate: Candidate, draw: Model) -> None:
    """(B, S, E) stays (B, S, E), and one tensor comes back

    fr: (B, S, E) reste (B, S, E), et un seul tenseur est rendu
    """
    shaped(tensor(candidate.construct(**draw.config)(draw.x)), tuple(draw.x.shape))


@check(points=1, given=norms(), shape_only=True)
def has_a_gain_and_a_shift(candidate: Candidate, draw: Model) -> None:
    """the parameters are gamma and beta: 2 E values

    fr: les paramètres sont gamma et beta : 2 E valeurs
    """
    properties.has_parameters(candidate.construct(**draw.config).parameters(), 2 * draw.config["dim"])


@check(points=9, given=norms(), answer=either, core=True)
def computes_what_the_reference_computes(candidate: Candidate, draw: Model, answer: ReferenceAnswer) -> None:
    """under the same gamma and beta, the output is the reference's

    fr: avec les mêmes gamma et beta, la sortie est celle de la référence
    """
    answer.agree(candidate.with_reference_weights(answer)(draw.x))


@check(points=1, given=norms(dtype=torch.float64), answer=either_in_both_precisions, draws=10)
def computes_in_double_precision(candidate: Candidate, draw: Model, answer: Varied) -> str | None:
    """in float64 the answer is of float64, and the same as in float32

    fr: en float64, la réponse est en float64, et la même qu'en float32
    """
    return variation.agree_in_double(candidate, answer)


@check(points=4, given=norms(eps=0.1), answer=with_and_without_eps)
def adds_the_epsilon_that_it_is_given(candidate: Candidate, draw: Model, answer: Varied) -> None:
    """with eps=0.1 the output is the reference's: positions of small variance become smaller

    fr: avec eps=0.1, la sortie est celle de la référence : les positions de faible variance rétrécissent
    """

    def own(module: Module, varied: Model) -> None:
        usual = candidate.with_random_weights(varied.seed, dim=varied.config["dim"])
        output = tensor(module(varied.x))
        message = tr("the output is the same for another eps")
        require(not torch.equal(output, tensor(usual(varied.x))), message)

    variation.agree_in_variation(candidate, answer, own)


@check(points=2, given=roomy())
def begins_with_mean_0_and_variance_1(candidate: Candidate, draw: Model) -> None:
    """in a new module, each position of the output has mean 0, and its squares have mean 1

    fr: dans un module neuf, chaque position de la sortie a pour moyenne 0, et ses carrés pour moyenne 1
    """
    module = candidate.construct(**draw.config)
    output = tensor(module(draw.x))
    shaped(output, tuple(draw.x.shape))
    even, expected = output.double(), torch.ones(draw.x.shape[:2])
    alike(even.mean(-1).float() + 1, expected, tr("1 plus the mean of each position"))
    alike(even.pow(2).mean(-1).float(), expected, tr("the mean of the squares of each position"))


@check(points=2, given=roomy())
def treats_positions_apart(candidate: Candidate, draw: Model) -> None:
    """each position is answered as if it were alone, whatever stands beside it or in other sequences

    fr: chaque position reçoit la même réponse que seule, quoi qu'il y ait à côté ou dans d'autres séquences
    """
    module, x = candidate.with_random_weights(draw.seed, **draw.config), draw.x
    output = tensor(module(x))
    shaped(output, tuple(x.shape))
    for sequence, expected in zip(x.split(1), output.split(1), strict=True):
        alike(module(sequence), expected, tr("a sequence alone"))
    for number in range(x.shape[1]):
        alike(module(x[:, number : number + 1]), output[:, number : number + 1], tr("a position alone"))


@check(points=1, given=roomy(), shape_only=True)
def survives_a_position_of_equal_values(candidate: Candidate, draw: Model) -> None:
    """a position whose values are all the same becomes beta, whichever value it is: eps keeps it from 0 / 0

    fr: une position dont toutes les valeurs sont égales devient beta, quelle que soit cette valeur : eps
    évite 0 / 0
    """
    module = candidate.construct(**draw.config)
    output = tensor(module(torch.full_like(draw.x, 2.0)))
    shaped(output, tuple(draw.x.shape))
    other = tensor(module(torch.full_like(draw.x, -3.0)))
    # What beta is in a new module, another check says; a NaN is near nothing.
    alike(output, other.nan_to_num(0.0, 0.0, 0.0), tr("the output for other equal values"))


@check(points=2, given=norms(), answer=either_with_gradients)
def teaches_gamma_and_beta(candidate: Candidate, draw: Model, answer: ReferenceAnswer) -> None:
    """gradients reach gamma, beta and x; where the output is right, they are too

    fr: les gradients atteignent gamma, beta et x ; là où la sortie est juste, ils le sont aussi
    """
    agree_gradients(answer, candidate.with_reference_weights(answer))


@check(points=1, given=roomy(), on_its_word=True)
def leaves_its_argument_alone(candidate: Candidate, draw: Model) -> str | None:
    """x keeps its values, and the second call answers as the first

    fr: x garde ses valeurs, et le second appel répond comme le premier
    """
    module, x = candidate.with_random_weights(draw.seed, **draw.config), draw.x
    tensor(module(x))
    return properties.leaves_alone(module, [x], "x")


def diagnostic_draws(seed: int) -> list[Model]:
    """Draws that tell the known mistakes apart; the first three share their configuration."""
    usual: dict[str, Any] = {"dim": 6}
    draws: list[tuple[dict[str, Any], int, int, float]] = [(usual, 2, 5, 1.0)] * 3 + [
        ({"dim": 4, "eps": 0.1}, 3, 2, 1.0),
        ({"dim": 5}, 1, 3, 0.0),
        ({"dim": 7}, 2, 1, 30.0),
    ]
    return [
        Model(config, _x(batch, length, config["dim"], seed + n, scale), seed=seed + n)
        for n, (config, batch, length, scale) in enumerate(draws)
    ]


def _x(batch: int, length: int, width: int, seed: int, scale: float) -> Tensor:
    return normal(batch, length, width, seed=seed, scale=scale, dtype=torch.float64)


options = Options(
    diagnostic_draws=diagnostic_draws,
)
