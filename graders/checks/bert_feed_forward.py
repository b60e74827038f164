"""PositionwiseFeedForward(hidden_size, intermediate_size): fc1, GELU, fc2, by position."""

from functools import partial

import torch
from hypothesis import strategies as st

from graders.check_api import properties, variation
from graders.check_api.check import Candidate, alike, check, require, shaped, tensor
from graders.check_api.options import Options
from graders.check_api.reference_answer import (
    ReferenceAnswer,
    reference_answer,
    reference_answer_with_gradients,
)
from graders.check_api.reference_gradients import agree_gradients
from graders.check_api.strategies.module_inputs import States
from graders.check_api.strategies.tensors import input_values, normal, seeds, sizes
from graders.check_api.usual_sizes import inner_width
from graders.check_api.variants import GELUS
from graders.check_api.variation import Varied, vary
from graders.language import tr

ACTIVATIONS = GELUS
ANSWER = partial(reference_answer, activations=ACTIVATIONS)


@st.composite
def networks(draw: st.DrawFn, dtype: torch.dtype = torch.float32, length: int | None = None) -> States:
    """Widths and an input (B, S, E)."""
    return _network(draw, draw(sizes(1, 6)), draw(sizes(1, 12)), 1, dtype, length)


@st.composite
def roomy(draw: st.DrawFn) -> States:
    """A network of widths 8 and 32, so that some hidden unit is always active, and at least two positions."""
    return _network(draw, 8, 32, 2, torch.float32)


def _network(
    draw: st.DrawFn, width: int, inner: int, least: int, dtype: torch.dtype, length: int | None = None
) -> States:
    batch, length, seed = draw(sizes(1, 3)), length or draw(sizes(least, 5)), draw(seeds())
    config = {"hidden_size": width, "intermediate_size": inner}
    return States(config, input_values(batch, length, width, seed=seed, dtype=dtype), seed=seed)


@check(points=1, given=networks(), shape_only=True, at_length=lambda n: networks(length=n))
def keeps_the_shape(candidate: Candidate, draw: States) -> None:
    """(B, S, E) stays (B, S, E)

    fr: (B, S, E) reste (B, S, E)
    """
    shaped(tensor(candidate.construct(**draw.config)(draw.hidden_states)), tuple(draw.hidden_states.shape))


@check(points=1, given=networks(), shape_only=True)
def has_two_layers_with_bias(candidate: Candidate, draw: States) -> None:
    """two linear layers with bias: (E * F + F) + (F * E + E) parameters

    fr: deux couches linéaires avec biais : (E * F + F) + (F * E + E) paramètres
    """
    width, inner = draw.config["hidden_size"], draw.config["intermediate_size"]
    parameters = candidate.construct(**draw.config).parameters()
    properties.has_parameters(parameters, 2 * width * inner + inner + width)


@check(points=6, given=networks(), answer=ANSWER, core=True)
def computes_what_the_reference_computes(candidate: Candidate, draw: States, answer: ReferenceAnswer) -> None:
    """under the same weights, the output is the reference's: GELU, exact or by tanh, between the layers

    fr: avec les mêmes poids, la sortie est celle de la référence : GELU, exacte ou par tanh, entre les
    couches
    """
    answer.agree(candidate.with_reference_weights(answer)(draw.hidden_states))


@check(
    points=1,
    given=networks(dtype=torch.float64),
    answer=vary(variation.cast_to_single, ANSWER),
    draws=10,
)
def computes_in_double_precision(candidate: Candidate, draw: States, answer: Varied) -> str | None:
    """in float64 the answer is of float64, and the same as in float32

    fr: en float64, la réponse est en float64, et la même qu'en float32
    """
    return variation.agree_in_double(candidate, answer)


@check(points=3, given=roomy())
def treats_positions_alike_and_apart(candidate: Candidate, draw: States) -> None:
    """every position goes through the same network by itself

    fr: chaque position traverse seule le même réseau
    """
    x, module = draw.hidden_states, candidate.with_random_weights(draw.seed, **draw.config)
    output = tensor(module(x))
    shaped(output, tuple(x.shape))
    for number in range(x.shape[1]):
        alike(module(x[:, number : number + 1]), output[:, number : number + 1], tr("a position alone"))
    alike(module(x.flip(0, 1)), output.flip(0, 1), tr("the output for another order"))


@check(points=1, given=roomy())
def is_not_linear(candidate: Candidate, draw: States) -> None:
    """there is an activation between the layers: the network is not a linear map

    fr: il y a une activation entre les couches : le réseau n'est pas une application linéaire
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    once, twice, zero, back = (
        tensor(module(factor * draw.hidden_states)).double() for factor in (1, 2, 0, -1)
    )
    for output in (once, twice, zero, back):
        shaped(output, tuple(draw.hidden_states.shape))
    alike(module(draw.hidden_states), once.to(draw.hidden_states.dtype), tr("the output of the second call"))
    # Without biases, ReLU doubles with its input, but does not change its sign with it.
    gap = torch.stack([twice - 2 * once + zero, once + back - 2 * zero]).abs().max()
    require(
        bool(gap > 1e-3 * once.abs().max()),
        tr("doubling x exactly doubles the output's change: no activation acts"),
    )


@check(points=2, given=networks(), answer=partial(reference_answer_with_gradients, activations=ACTIVATIONS))
def teaches_every_parameter(candidate: Candidate, draw: States, answer: ReferenceAnswer) -> None:
    """gradients reach every parameter and x; where the output is right, they are too

    fr: les gradients atteignent chaque paramètre et x ; là où la sortie est juste, ils le sont aussi
    """
    agree_gradients(answer, candidate.with_reference_weights(answer))


@check(points=1, given=roomy(), on_its_word=True)
def leaves_its_input_alone(candidate: Candidate, draw: States) -> str | None:
    """x keeps its values, and in evaluation the second call answers as the first

    fr: x garde ses valeurs, et en évaluation le deuxième appel répond comme le premier
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    tensor(module(*draw.arguments))
    return properties.leaves_alone(module, draw.arguments, "x")


def diagnostic_draws(seed: int) -> list[States]:
    """Draws that tell the known mistakes apart."""
    config = {"hidden_size": 12, "intermediate_size": 20}

    def given(config: dict[str, int], offset: int, *shape: int, scale: float = 1.0) -> States:
        width = config["hidden_size"]
        x = normal(*shape, width, seed=seed + offset, scale=scale, dtype=torch.float64)
        return States(config, x, seed=seed + offset)

    return [
        given(config, 1, 2, 5),
        given(config, 2, 2, 5),
        given(config, 3, 2, 5),
        given(config, 4, 3, 4, scale=0.05),
        given(config, 5, 1, 7, scale=8.0),
        given({"hidden_size": 6, "intermediate_size": 5}, 6, 1, 1),
    ]


options = Options(
    activations=ACTIVATIONS,
    sizes=(inner_width("intermediate_size", "hidden_size", "has_two_layers_with_bias"),),
    diagnostic_draws=diagnostic_draws,
)
