"""SelfAttention(embed_dim); forward(x, mask=None) -> (output, weights)."""

from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api import properties, variation
from graders.check_api.check import Candidate, Violation, alike, check, kind, require, shaped, tensor
from graders.check_api.drawn_attention import BOTH_WAYS, DrawnAttention
from graders.check_api.mask_properties import ignores_masked_keys
from graders.check_api.mask_sense import MaskArgument, Sense
from graders.check_api.options import Options
from graders.check_api.reference_answer import (
    ReferenceAnswer,
    reference_answer,
    reference_answer_with_gradients,
)
from graders.check_api.reference_gradients import agree_gradients
from graders.check_api.strategies.attention_masks import almost_causal, hiding
from graders.check_api.strategies.module_inputs import Model, modelled
from graders.check_api.strategies.tensors import input_values, masks, seeds, sizes
from graders.check_api.variation import Varied, vary
from graders.language import tr


@st.composite
def inputs(
    draw: st.DrawFn,
    masked: bool = False,
    least: int = 1,
    most: int = 6,
    dtype: torch.dtype = torch.float32,
) -> Model:
    """A width, an input (B, S, E) and perhaps a mask; S is never E, so that output and weights differ."""
    batch, length, seed = draw(sizes(1, 3)), draw(sizes(least, most)), draw(seeds())
    width = draw(sizes(1, 8))
    width += width == length
    mask = draw(masks((batch,), length, length)) if masked else None
    x = input_values(batch, length, width, seed=seed, dtype=dtype)
    return Model({"embed_dim": width}, x, mask, seed=seed)


def place_of_output(answer: Any, x: Tensor) -> int:
    """The index of the output in the answer: 1 where output and weights are swapped, otherwise 0."""
    shapes = [tuple(t.shape) if isinstance(t, Tensor) else () for t in answer] if _pair(answer) else []
    return int(len(shapes) == 2 and shapes[0] != tuple(x.shape) == shapes[1])


def output_of(answer: Any, x: Tensor) -> Tensor:
    """The output, also where the weights are missing or come first: another check is about that."""
    output = properties.first_tensor(answer[::-1] if place_of_output(answer, x) else answer)
    shaped(output, tuple(x.shape))
    return output


def _output_for(candidate: Candidate, answer: ReferenceAnswer) -> Tensor:
    draw = answer.draw
    return output_of(candidate.with_reference_weights(answer)(*draw.arguments), draw.arguments[0])


def weights_of(answer: Any, x: Tensor) -> Tensor:
    """The weights, (B, S, S)."""
    message = tr("the answer should be the pair (output, weights), but is {kind}", kind=kind(answer))
    require(_pair(answer), message)
    message = tr("output and weights are swapped: the answer should be (output, weights), in this order")
    require(place_of_output(answer, x) == 0, message)
    weights = tensor(answer[1], tr("the weights"))
    shaped(weights, (*x.shape[:2], x.shape[1]), tr("the weights"))
    return weights


def _pair(answer: Any) -> bool:
    return isinstance(answer, tuple | list) and len(answer) == 2


@check(points=3, given=inputs(), answer=reference_answer)
def answers_with_output_and_weights(candidate: Candidate, draw: Model, answer: ReferenceAnswer) -> None:
    """the answer is (output, weights), with the attention weights (B, S, S)

    fr: la réponse est (sortie, poids), avec les poids d'attention (B, S, S)
    """
    pair = candidate.with_reference_weights(answer)(*draw.arguments)
    output, weights = output_of(pair, draw.x), weights_of(pair, draw.x)
    try:
        answer.agree(weights, 1, value_name=tr("the attention weights"))
    except Violation:
        if answer.accepts(output):
            raise
        sums = torch.ones(weights.shape[:-1], dtype=weights.dtype)
        alike(weights.sum(-1), sums, tr("the sum of each query's weights"))
        require(bool((weights >= 0).all()), tr("some weights are negative or not a number"))


@check(
    points=1,
    given=inputs(),
    shape_only=True,
    kept_because="every wrong shape fails other checks too; here it is said to be one",
)
def keeps_the_shape(candidate: Candidate, draw: Model) -> None:
    """the output has the shape of x, (B, S, E)

    fr: la sortie a la forme de x, (B, S, E)
    """
    output_of(candidate.construct(**draw.config)(*draw.arguments), draw.x)


@check(points=1, given=inputs(), shape_only=True)
def has_three_layers_with_bias(candidate: Candidate, draw: Model) -> None:
    """three linear layers with bias: 3 (E * E + E) parameters

    fr: trois couches linéaires avec biais : 3 (E * E + E) paramètres
    """
    width = draw.config["embed_dim"]
    properties.has_parameters(candidate.construct(**draw.config).parameters(), 3 * (width * width + width))


@check(points=10, given=inputs(), answer=reference_answer, core=True)
def computes_what_the_reference_computes(candidate: Candidate, draw: Model, answer: ReferenceAnswer) -> None:
    """under the same weights, the output is the reference's

    fr: avec les mêmes poids, la sortie est celle de la référence
    """
    answer.agree(_output_for(candidate, answer))


@check(points=1, given=inputs(dtype=torch.float64), answer=vary(variation.cast_to_single), draws=10)
def computes_in_double_precision(candidate: Candidate, draw: Model, answer: Varied) -> str | None:
    """in float64 the answer is of float64, and the same as in float32

    fr: en float64, la réponse est en float64, et la même qu'en float32
    """
    return variation.agree_in_double(candidate, answer, _output_for)


@check(points=3, given=inputs(masked=True, least=2), answer=vary(variation.drop_mask))
def obeys_masks_of_every_shape(candidate: Candidate, draw: Model, answer: Varied) -> None:
    """masks (S, S), (B, 1, S), (B, S, S) and the like all act, and change nothing else

    fr: les masques (S, S), (B, 1, S), (B, S, S) et autres agissent tous, et ne changent rien d'autre
    """
    value_name = tr("the output under the mask")
    variation.agree_in_variation(candidate, answer, _takes_the_mask_written_out, _output_for, value_name)


def _takes_the_mask_written_out(module: Any, draw: Any) -> None:
    x, mask = draw.arguments
    output = output_of(module(x, mask), x)
    whole = mask.expand(*x.shape[:2], x.shape[1]).contiguous()
    alike(output_of(module(x, whole), x), output, tr("the output under the same mask with all its axes"))
    require(not torch.equal(output_of(module(x), x), output), tr("the mask changes nothing"))


@check(points=3, given=inputs(least=2))
def ignores_what_is_masked(candidate: Candidate, draw: Model) -> None:
    """what is masked for all queries has no influence on any other position

    fr: ce qui est masqué pour toutes les requêtes n'a d'influence sur aucune autre position
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)

    def answered(x: Tensor, mask: Tensor) -> Tensor:
        written_out = mask[:, 0].expand(*x.shape[:2], x.shape[1]).contiguous()
        return output_of(module(x, written_out), x)

    mask, _output = ignores_masked_keys(answered, draw.x, draw.seed)
    mask[:, 0].expand(*draw.x.shape[:2], draw.x.shape[1]).contiguous()


@check(points=1, given=inputs(least=2))
def knows_no_order(candidate: Candidate, draw: Model) -> None:
    """without a mask, positions in another order give the outputs in that order

    fr: sans masque, des positions dans un autre ordre donnent les sorties dans cet ordre
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    output, reordered = output_of(module(draw.x), draw.x), module(draw.x.roll(1, 1))
    alike(output_of(reordered, draw.x), output.roll(1, 1), tr("the output for another order"))
    changed = draw.x.clone()
    changed[:, 0] += 1
    require(
        not torch.equal(output_of(module(changed), draw.x)[:, -1], output[:, -1]),
        tr("the last output does not depend on the first position: nothing is attended to"),
    )


@check(points=1, given=inputs(), draws=10)
def treats_sequences_apart(candidate: Candidate, draw: Model) -> None:
    """each sequence of a batch is answered as if it were alone

    fr: chaque séquence d'un lot reçoit la même réponse que si elle était seule
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    output = output_of(module(draw.x), draw.x)
    for sequence, expected in zip(draw.x.split(1), output.split(1), strict=True):
        alike(output_of(module(sequence), sequence), expected, tr("a sequence alone"))


@check(points=2, given=inputs(), answer=reference_answer_with_gradients, draws=10)
def teaches_every_parameter(candidate: Candidate, draw: Model, answer: ReferenceAnswer) -> None:
    """gradients reach every parameter and x; where the output is right, they are too

    fr: les gradients atteignent chaque paramètre et x ; là où la sortie est juste, ils le sont aussi
    """
    module = candidate.with_reference_weights(answer)
    agree_gradients(answer, module, place_of_output(module(*draw.arguments), draw.x))


@check(points=1, given=inputs(masked=True, least=2), on_its_word=True)
def leaves_its_arguments_alone(candidate: Candidate, draw: Model) -> str | None:
    """x and the mask keep their values, and the second call answers as the first

    fr: x et le masque gardent leurs valeurs, et le deuxième appel répond comme le premier
    """
    module, whole = candidate.with_random_weights(draw.seed, **draw.config), draw.mask
    assert whole is not None
    arguments = [draw.x, whole.expand(*draw.x.shape[:2], draw.x.shape[1]).contiguous()]
    output_of(module(*arguments), draw.x)
    return properties.leaves_alone(module, arguments, "x", tr("the mask"))


def diagnostic_draws(seed: int) -> list[Model]:
    """Draws of fixed sizes in float64 that tell the known mistakes apart."""
    config = {"embed_dim": 12}
    return [
        modelled(config, 2, 5, seed),
        modelled(config, 2, 5, seed + 1, hiding(2, 5, seed)[:, 0]),
        modelled(config, 2, 5, seed + 2, almost_causal(5)),
        modelled({"embed_dim": 8}, 3, 6, seed + 3, hiding(3, 6, seed + 7)[:, 0]),
        modelled({"embed_dim": 5}, 1, 3, seed + 4),
        modelled(config, 2, 5, seed + 5, almost_causal(5), scale=10.0),
    ]


options = Options(
    mask=MaskArgument(
        1, Sense.TRUE_HIDES, check="ignores_what_is_masked", shapes="obeys_masks_of_every_shape", heads=False
    ),
    drawn=DrawnAttention(lambda x, mask: Model({"embed_dim": x.shape[-1]}, x, mask), BOTH_WAYS, weights_at=1),
    diagnostic_draws=diagnostic_draws,
    read=output_of,
)
