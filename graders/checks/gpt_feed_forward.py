"""PositionwiseFeedForward(hidden_size, intermediate_size): fc1, GELU or ReLU, fc2, by position."""

import torch
from hypothesis import strategies as st

from graders.check_api import properties, variation
from graders.check_api.check import Candidate, alike, check, require, shaped, tensor
from graders.check_api.reference_answer import (
    ReferenceAnswer,
    reference_answer,
    reference_answer_with_gradients,
)
from graders.check_api.reference_gradients import agree_gradients
from graders.check_api.strategies.module_inputs import States
from graders.check_api.strategies.tensors import input_values, normal, seeds, sizes
from graders.check_api.usual_sizes import inner_width
from graders.check_api.variation import Varied, vary
from graders.language import tr

OTHER_NAMES = ("FeedFoward",)  # so it is spelt in the course's document on MiniGPT
SIZES = (inner_width("intermediate_size", "hidden_size", "has_two_layers_with_bias"),)


@st.composite
def networks(draw: st.DrawFn, dtype: torch.dtype = torch.float32, length: int | None = None) -> States:
    """Two widths and an input (B, S, E)."""
    config = {"hidden_size": draw(sizes(1, 6)), "intermediate_size": draw(sizes(1, 12))}
    return _fed(draw, config, 1, dtype, length)


@st.composite
def roomy(draw: st.DrawFn) -> States:
    """A network of widths 8 and 32, so that some hidden unit is always active, and at least two positions."""
    return _fed(draw, {"hidden_size": 8, "intermediate_size": 32}, 2, torch.float32)


def _fed(
    draw: st.DrawFn, config: dict[str, int], least: int, dtype: torch.dtype, length: int | None = None
) -> States:
    shape = (draw(sizes(1, 3)), length or draw(sizes(least, 5)), config["hidden_size"])
    seed = draw(seeds())
    return States(config, input_values(*shape, seed=seed, dtype=dtype), seed=seed)


@check(
    points=1,
    given=networks(),
    shape_only=True,
    kept_because="every wrong shape fails other checks too; here it is said to be one",
    at_length=lambda n: networks(length=n),
)
def keeps_the_shape(candidate: Candidate, draw: States) -> None:
    """(B, S, E) stays (B, S, E), and one tensor comes back

    fr: (B, S, E) reste (B, S, E), et un seul tenseur est rendu
    """
    output = tensor(candidate.construct(**draw.config)(draw.hidden_states))
    shaped(output, tuple(draw.hidden_states.shape))


@check(points=1, given=networks(), shape_only=True)
def has_two_layers_with_bias(candidate: Candidate, draw: States) -> None:
    """two linear layers with bias: (E * F + F) + (F * E + E) parameters

    fr: deux couches linéaires avec biais : (E * F + F) + (F * E + E) paramètres
    """
    width, inner = draw.config["hidden_size"], draw.config["intermediate_size"]
    properties.has_parameters(
        candidate.construct(**draw.config).parameters(), 2 * width * inner + inner + width
    )


@check(points=6, given=networks(), answer=reference_answer, core=True)
def computes_what_the_reference_computes(candidate: Candidate, draw: States, answer: ReferenceAnswer) -> None:
    """under the same weights, the output is the reference's, with GELU or ReLU between the layers

    fr: avec les mêmes poids, la sortie est celle de la référence, avec GELU ou ReLU entre les couches
    """
    answer.agree(candidate.with_reference_weights(answer)(draw.hidden_states))


@check(points=1, given=networks(dtype=torch.float64), answer=vary(variation.cast_to_single), draws=10)
def computes_in_double_precision(candidate: Candidate, draw: States, answer: Varied) -> str | None:
    """in float64 the answer is of float64, and the same as in float32

    fr: en float64, la réponse est en float64, et la même qu'en float32
    """
    return variation.agree_in_double(candidate, answer)


@check(points=3, given=roomy())
def treats_positions_alike_and_apart(candidate: Candidate, draw: States) -> None:
    """every position goes through the same network by itself

    fr: chaque position traverse à part le même réseau
    """
    module, x = candidate.with_random_weights(draw.seed, **draw.config), draw.hidden_states
    output = tensor(module(x))
    shaped(output, tuple(x.shape))
    for number in range(x.shape[1]):
        alike(module(x[:, number : number + 1]), output[:, number : number + 1], tr("a position alone"))
    alike(module(x.flip(0, 1)), output.flip(0, 1), tr("the output for another order"))
    properties.depends_on(module, output, [x + 1])
    properties.uses_its_weights(module, output, [x], draw.seed)


@check(points=1, given=roomy())
def is_not_linear(candidate: Candidate, draw: States) -> None:
    """there is an activation between the layers: the network is not a linear map

    fr: il y a une activation entre les couches : le réseau n'est pas une application linéaire
    """
    module, x = candidate.with_random_weights(draw.seed, **draw.config), draw.hidden_states
    once, twice, zero = (tensor(module(factor * x)).double() for factor in (1, 2, 0))
    for output in (once, twice, zero):
        shaped(output, tuple(x.shape))
    alike(module(x).double(), once, tr("the output of the second call"))
    gap = ((twice - zero) - 2 * (once - zero)).abs().max()
    require(
        bool(gap > 1e-3 * once.abs().max()),
        tr("doubling the input exactly doubles the output's change: no activation acts"),
    )


@check(points=2, given=networks(), answer=reference_answer_with_gradients)
def teaches_every_parameter(candidate: Candidate, draw: States, answer: ReferenceAnswer) -> None:
    """gradients reach every parameter and the input; where the output is right, they are too

    fr: les gradients atteignent chaque paramètre et l'entrée ; là où la sortie est juste, ils le sont aussi
    """
    agree_gradients(answer, candidate.with_reference_weights(answer))


@check(points=1, given=roomy(), on_its_word=True)
def leaves_its_input_alone(candidate: Candidate, draw: States) -> str | None:
    """the input keeps its values, and in evaluation the second call answers as the first

    fr: l'entrée garde ses valeurs, et en évaluation le second appel répond comme le premier
    """
    module, x = candidate.with_random_weights(draw.seed, **draw.config), draw.hidden_states
    output = tensor(module(x))
    properties.depends_on(module, output, [x + 1])
    properties.uses_its_weights(module, output, [x], draw.seed)
    return properties.leaves_alone(module, [x], tr("the input"))


def diagnostic_draws(seed: int) -> list[States]:
    """Draws that tell the known mistakes apart; the first three share their configuration."""
    usual = {"hidden_size": 12, "intermediate_size": 20}
    sizes = [(usual, 2, 5, 1.0)] * 3 + [
        (usual, 1, 7, 0.05),
        ({"hidden_size": 8, "intermediate_size": 3}, 3, 1, 1.0),
        ({"hidden_size": 6, "intermediate_size": 10}, 1, 4, 30.0),
    ]
    return [
        States(
            config,
            normal(batch, length, config["hidden_size"], seed=seed + n, scale=scale, dtype=torch.float64),
            seed=seed + n,
        )
        for n, (config, batch, length, scale) in enumerate(sizes)
    ]
