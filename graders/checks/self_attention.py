"""SelfAttention(embed_dim); forward(x, mask=None) -> (output, weights)."""

from dataclasses import replace
from functools import partial
from typing import Any

from hypothesis.strategies import SearchStrategy
from torch import Tensor

from graders.check_api.drawn_attention import BOTH_WAYS, DrawnAttention
from graders.check_api.mask_sense import MaskArgument, Sense
from graders.check_api.options import Options
from graders.check_api.output_and_weights import output_of, place_of_output
from graders.check_api.standard_checks.output_and_weights_checks import OutputAndWeightsChecks
from graders.check_api.strategies.attention_masks import almost_causal, hiding
from graders.check_api.strategies.extremes import extremes
from graders.check_api.strategies.fed import Row, fed, fixed
from graders.check_api.strategies.module_inputs import Model
from graders.check_api.strategies.tensors import masks, sizes
from graders.check_api.usual_sizes import model_width


def hide_at_random(batch: int, length: int, seed: int) -> Tensor:
    """A random mask (B, S, S)."""
    return hiding(batch, length, seed)[:, 0]


SIZES = {"embed_dim": 12}
options = Options(
    sizes=(model_width("embed_dim", "has_three_layers_with_bias", "x"),),
    mask=MaskArgument(
        1, Sense.TRUE_HIDES, check="ignores_what_is_masked", shapes="obeys_masks_of_every_shape", heads=False
    ),
    drawn=DrawnAttention(lambda x, mask: Model({"embed_dim": x.shape[-1]}, x, mask), BOTH_WAYS, weights_at=1),
    diagnostic_draws=fixed(
        Model,
        "embed_dim",
        SIZES,
        Row(2, 5),
        Row(2, 5, mask=hide_at_random),
        Row(2, 5, mask=lambda *_: almost_causal(5)),
        Row(3, 6, {"embed_dim": 8}, hide_at_random),
        Row(2, 3, {"embed_dim": 5}),
        Row(2, 5, mask=lambda *_: almost_causal(5), scale=10.0),
    ),
    read=output_of,
)
# S is never E, so that output and weights differ.
inputs = fed(embed_dim=lambda length: sizes(2, 8).map(lambda width: width + (width == length)))


def inputs_with_masks(write_out: bool = False) -> SearchStrategy[Model]:
    """The same with masks of several shapes, or with all their axes (B, S, S)."""

    def add_mask(draw: Model) -> SearchStrategy[Model]:
        batch, length = draw.x.shape[:2]
        of_any_shape = masks((batch,), length, length)
        whole = of_any_shape.map(lambda mask: mask.expand(batch, length, length).contiguous())
        return (whole if write_out else of_any_shape).map(lambda mask: replace(draw, mask=mask))

    return inputs(least=3).flatmap(add_mask)


def shape_of_weights(draw: Any) -> tuple[int, ...]:
    """(B, S, S)."""
    batch, length = draw.x.shape[:2]
    return batch, length, length


attention = OutputAndWeightsChecks(inputs, options, shape_of_weights=shape_of_weights)

answers_with_output_and_weights = attention.answers_with_output_and_weights(
    points=3,
    says="""the answer is (output, weights), with the attention weights (B, S, S)

    fr: la réponse est (sortie, poids), avec les poids d'attention (B, S, S)
    """,
)
keeps_the_shape = attention.keeps_the_shape_of_x(
    points=1, kept_because="every wrong shape fails other checks too; here it is said to be one"
)
has_three_layers_with_bias = attention.has_parameters(
    lambda config: 3 * (config["embed_dim"] ** 2 + config["embed_dim"]),
    points=1,
    says="""three linear layers with bias: 3 (E * E + E) parameters

    fr: trois couches linéaires avec biais : 3 (E * E + E) paramètres
    """,
)
computes_what_the_reference_computes = attention.computes_what_the_reference_computes(points=10)
answers_extreme_sizes = attention.answers_extreme_sizes(
    extremes(partial(fixed, Model, "embed_dim", SIZES), "embed_dim", SIZES), points=1
)
computes_in_double_precision = attention.computes_in_double_precision(points=1)
obeys_masks_of_every_shape = attention.takes_masks_of_every_shape(
    points=3,
    given=inputs_with_masks(),
    says="""masks (S, S), (B, 1, S), (B, S, S) and the like all act, and change nothing else

    fr: les masques (S, S), (B, 1, S), (B, S, S) et autres agissent tous, et ne changent rien d'autre
    """,
)
ignores_what_is_masked = attention.ignores_what_is_masked(points=3)
knows_no_order = attention.knows_no_order(points=1)
treats_sequences_apart = attention.treats_sequences_apart(points=1)
answers_the_smallest_sizes = attention.answers_the_smallest_sizes("length", "embed_dim", points=1)
teaches_every_parameter = attention.teaches_every_parameter(points=2, place=place_of_output)
leaves_its_arguments_alone = attention.leaves_its_arguments_alone(
    points=1, given=inputs_with_masks(write_out=True)
)
