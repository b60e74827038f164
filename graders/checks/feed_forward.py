"""FeedForward(embed_dim, ff_dim=None, dropout=0.1): linear1, GELU, dropout, linear2, by position."""

from dataclasses import dataclass, field
from typing import Any

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
from graders.check_api.strategies.module_inputs import Model, modelled
from graders.check_api.strategies.tensors import hidden, input_values, normal, seeds, sizes
from graders.check_api.usual_sizes import inner_width
from graders.check_api.variation import Varied, vary
from graders.language import tr

DEFAULT = "is_four_times_as_wide_by_default"
OFF = {"dropout": 0.0}  # where it acts at the wrong time, the check that is about it says so


@st.composite
def networks(draw: st.DrawFn, dtype: torch.dtype = torch.float32, length: int | None = None) -> Model:
    """Widths E and F and an input (B, S, E)."""
    config = {"embed_dim": draw(sizes(1, 6)), "ff_dim": draw(sizes(1, 12)), **OFF}
    return _fed(draw, config, 1, dtype, length)


@st.composite
def roomy(draw: st.DrawFn) -> Model:
    """A network of widths 8 and 32, so that some hidden unit is always active, and at least two positions."""
    return _fed(draw, {"embed_dim": 8, "ff_dim": 32, **OFF}, 2, torch.float32)


def _fed(
    draw: st.DrawFn, config: dict[str, Any], least: int, dtype: torch.dtype, length: int | None = None
) -> Model:
    shape = (draw(sizes(1, 3)), length or draw(sizes(least, 5)), config["embed_dim"])
    seed = draw(seeds())
    return Model(config, input_values(*shape, seed=seed, dtype=dtype), seed=seed)


@dataclass(frozen=True)
class Wide:
    """A network so wide that dropout is certain to change the output."""

    embed_dim: int
    dropout: float
    seed: int = field(default=0, metadata=hidden)

    def x(self) -> torch.Tensor:
        """An input (4, 8, E)."""
        return normal(4, 8, self.embed_dim, seed=self.seed)


wide = st.builds(Wide, embed_dim=st.sampled_from([16, 32]), dropout=st.sampled_from([0.5, 0.3]), seed=seeds())


@check(points=1, given=networks(), shape_only=True, at_length=lambda n: networks(length=n))
def keeps_the_shape(candidate: Candidate, draw: Model) -> None:
    """(B, S, E) stays (B, S, E)

    fr: (B, S, E) reste (B, S, E)
    """
    shaped(tensor(candidate.construct(**draw.config)(draw.x)), tuple(draw.x.shape))


@check(points=9, given=networks(), answer=reference_answer, core=True)
def computes_what_the_reference_computes(candidate: Candidate, draw: Model, answer: ReferenceAnswer) -> None:
    """under the same weights, the output is the reference's (GELU, or ReLU as the course allows)

    fr: avec les mêmes poids, la sortie est celle de la référence (GELU, ou ReLU comme le cours le permet)
    """
    answer.agree(candidate.with_reference_weights(answer)(draw.x))


@check(points=1, given=networks(dtype=torch.float64), answer=vary(variation.cast_to_single), draws=10)
def computes_in_double_precision(candidate: Candidate, draw: Model, answer: Varied) -> str | None:
    """in float64 the answer is of float64, and the same as in float32

    fr: en float64, la réponse est en float64, et la même qu'en float32
    """
    return variation.agree_in_double(candidate, answer)


@check(points=1, given=networks(), shape_only=True)
def has_two_layers_with_bias(candidate: Candidate, draw: Model) -> None:
    """two linear layers with bias: (E * F + F) + (F * E + E) parameters

    fr: deux couches linéaires avec biais : (E * F + F) + (F * E + E) paramètres
    """
    width, inner = draw.config["embed_dim"], draw.config["ff_dim"]
    parameters = candidate.construct(**draw.config).parameters()
    properties.has_parameters(parameters, 2 * width * inner + inner + width)


@check(
    points=1,
    given=sizes(1, 8).map(lambda width: Model({"embed_dim": width}, torch.ones(1, 1, width))),
    shape_only=True,
)
def is_four_times_as_wide_by_default(candidate: Candidate, draw: Model) -> None:
    """without ff_dim, the inner width is 4 * E

    fr: sans ff_dim, la largeur intérieure est 4 * E
    """
    width = draw.config["embed_dim"]
    properties.has_matrices(candidate.construct(width).parameters(), 2 * width * 4 * width)


@check(points=3, given=roomy())
def treats_positions_alike_and_apart(candidate: Candidate, draw: Model) -> None:
    """every position goes through the same network by itself

    fr: chaque position traverse le même réseau, seule
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    output = tensor(module(draw.x))
    shaped(output, tuple(draw.x.shape))
    for number in range(draw.x.shape[1]):
        alike(module(draw.x[:, number : number + 1]), output[:, number : number + 1], tr("a position alone"))
    alike(module(draw.x.flip(0, 1)), output.flip(0, 1), tr("the output for another order"))


@check(points=1, given=roomy())
def is_not_linear(candidate: Candidate, draw: Model) -> None:
    """there is an activation between the layers: the network is not a linear map

    fr: il y a une activation entre les couches : le réseau n'est pas une application linéaire
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    once, twice, zero, back = (tensor(module(factor * draw.x)).double() for factor in (1, 2, 0, -1))
    for output in (once, twice, zero, back):
        shaped(output, tuple(draw.x.shape))
    alike(module(draw.x), once.to(draw.x.dtype), tr("the output of the second call"))
    # Without biases, ReLU doubles with its input, but does not change its sign with it.
    gap = torch.stack([twice - 2 * once + zero, once + back - 2 * zero]).abs().max()
    require(
        bool(gap > 1e-3 * once.abs().max()),
        tr("doubling x exactly doubles the output's change: no activation acts"),
    )


@check(points=2, given=networks(), answer=reference_answer_with_gradients)
def teaches_every_parameter(candidate: Candidate, draw: Model, answer: ReferenceAnswer) -> None:
    """gradients reach every parameter and x; where the output is right, they are too

    fr: les gradients atteignent chaque paramètre et x ; là où la sortie est juste, ils le sont aussi
    """
    agree_gradients(answer, candidate.with_reference_weights(answer))


@check(points=3, given=wide, draws=6)
def drops_in_training_only(candidate: Candidate, draw: Wide) -> None:
    """dropout acts in training and at no other time, and a rate of 0 drops nothing

    fr: le dropout agit à l'entraînement et jamais ailleurs, et un taux de 0 n'efface rien
    """
    properties.drops_in_training_only(
        lambda rate: candidate.construct(draw.embed_dim, 4 * draw.embed_dim, dropout=rate),
        draw.dropout,
        draw.x(),
    )


@check(points=1, given=roomy(), on_its_word=True)
def leaves_its_input_alone(candidate: Candidate, draw: Model) -> str | None:
    """x keeps its values, and in evaluation the second call answers as the first

    fr: x garde ses valeurs, et en évaluation le deuxième appel répond comme le premier
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    tensor(module(draw.x))
    return properties.leaves_alone(module, draw.arguments, "x", tr("the mask"))


def diagnostic_draws(seed: int) -> list[Model]:
    """Draws of fixed sizes in float64 that tell the known mistakes apart."""
    config = {"embed_dim": 6, "ff_dim": 20}
    return [
        modelled(config, 2, 5, seed),
        modelled(config, 2, 5, seed + 1, scale=3.0),
        modelled(config, 2, 5, seed + 2, scale=0.05),
        modelled({"embed_dim": 6}, 2, 4, seed + 3),
        modelled({"embed_dim": 10, "ff_dim": 7}, 1, 3, seed + 4),
        modelled({**config, "dropout": 0.0}, 2, 5, seed + 5),
        modelled({**config, "dropout": 0.5}, 2, 5, seed + 6),
    ]


options = Options(
    other_names=("FeedFoward",),  # so it is spelt in the course's document on MiniGPT
    sizes=(inner_width("ff_dim", "embed_dim", "has_two_layers_with_bias", default_check=DEFAULT),),
    diagnostic_draws=diagnostic_draws,
)
