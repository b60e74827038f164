"""MultiHeadAttention(embed_dim, num_heads); forward(x, mask=None) -> (output, weights)."""

from typing import Any

import torch
from torch import Tensor

from graders.check_api import properties, variation
from graders.check_api.check import Candidate, Violation, alike, check, kind, require, shaped, tensor
from graders.check_api.drawn_attention import BOTH_WAYS, HEADS, DrawnAttention
from graders.check_api.mask_properties import ignores_masked_keys
from graders.check_api.mask_sense import MaskArgument, Sense
from graders.check_api.options import Options
from graders.check_api.reference_answer import (
    ReferenceAnswer,
    reference_answer,
    reference_answer_with_gradients,
)
from graders.check_api.reference_gradients import agree_gradients
from graders.check_api.strategies.attention_masks import almost_causal, causal_mask, hiding
from graders.check_api.strategies.lengths import LONG, of_length
from graders.check_api.strategies.module_inputs import Indivisible, Model, indivisible, modelled, models
from graders.check_api.timed_call import Timed, flops_of_attention
from graders.check_api.variation import Varied, vary
from graders.language import tr


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


def weights_of(answer: Any, draw: Model) -> Tensor:
    """The weights of each head."""
    require(
        _pair(answer), tr("the answer should be the pair (output, weights), but is {kind}", kind=kind(answer))
    )
    message = tr("output and weights are swapped: the answer should be (output, weights), in this order")
    require(place_of_output(answer, draw.x) == 0, message)
    weights = tensor(answer[1], tr("the weights"))
    batch, length, _ = draw.x.shape
    expected_shape = (batch, draw.config["num_heads"], length, length)
    of_all_heads = ((batch, length, length), (batch, 1, length, length))
    if tuple(weights.shape) in of_all_heads and weights.shape != expected_shape:
        message = tr(
            "the weights have shape {shape}, but are those of each head due, {due}: "
            "have they been averaged, or is one head's all that is left?",
            shape=tuple(weights.shape),
            due=expected_shape,
        )
        raise Violation(message, actual=weights)
    shaped(weights, expected_shape, tr("the weights"))
    return weights


def _pair(answer: Any) -> bool:
    return isinstance(answer, tuple | list) and len(answer) == 2


@check(points=3, given=models(), answer=reference_answer)
def answers_with_output_and_weights(candidate: Candidate, draw: Model, answer: ReferenceAnswer) -> None:
    """the answer is (output, weights), with the attention weights of each head, (B, H, S, S)

    fr: la réponse est (sortie, poids), avec les poids d'attention de chaque tête, (B, H, S, S)
    """
    pair = candidate.with_reference_weights(answer)(*draw.arguments)
    output, weights = output_of(pair, draw.x), weights_of(pair, draw)
    value_name = tr("the attention weights")
    try:
        answer.agree(weights, 1, value_name=value_name)
    except Violation:
        if answer.accepts(output):
            raise
        sums = torch.ones(weights.shape[:-1], dtype=weights.dtype)
        alike(weights.sum(-1), sums, tr("the sum of each query's weights"))
        require(bool((weights >= 0).all()), tr("some weights are negative or not a number"))


@check(points=1, given=models(), shape_only=True)
def keeps_the_shape(candidate: Candidate, draw: Model) -> str | None:
    """the output has the shape of x, (B, S, E)

    fr: la sortie a la forme de x, (B, S, E)
    """
    answer = candidate.construct(**draw.config)(*draw.arguments)
    output_of(answer, draw.x)
    try:
        weights_of(answer, draw)
    except Violation as wrong:  # the check of the weights takes points for it, where it can be decided
        return tr("remark: {what}", what=wrong)
    return None


@check(points=1, given=models(), shape_only=True)
def has_four_layers_with_bias(candidate: Candidate, draw: Model) -> None:
    """four linear layers with bias: 4 (E * E + E) parameters

    fr: quatre couches linéaires avec biais : 4 (E * E + E) paramètres
    """
    parameters = candidate.construct(**draw.config).parameters()
    width = draw.config["embed_dim"]
    properties.has_parameters(parameters, 4 * (width * width + width))


@check(points=12, given=models(), answer=reference_answer, core=True)
def computes_what_the_reference_computes(candidate: Candidate, draw: Model, answer: ReferenceAnswer) -> None:
    """under the same weights, the output is the reference's

    fr: avec les mêmes poids, la sortie est celle de la référence
    """
    answer.agree(output_of(candidate.with_reference_weights(answer)(*draw.arguments), draw.x))


@check(
    points=1,
    given=models(least=33, most=128),
    answer=vary(variation.shorten),
    draws=3,
    kept_because=LONG,
    at_length=of_length(models),
)
def answers_long_sequences(candidate: Candidate, draw: Model, answer: Varied) -> None:
    """33 to 128 positions are answered as a few are

    fr: 33 à 128 positions reçoivent la même réponse que quelques-unes
    """
    variation.agree_in_variation(candidate, answer, variation.answers_repeats_alike, _output_for)


@check(points=1, given=models(dtype=torch.float64), answer=vary(variation.cast_to_single), draws=10)
def computes_in_double_precision(candidate: Candidate, draw: Model, answer: Varied) -> str | None:
    """in float64 the answer is of float64, and the same as in float32

    fr: en float64, la réponse est en float64, et la même qu'en float32
    """
    return variation.agree_in_double(candidate, answer, _output_for)


@check(points=3, given=models(masked=True, least=2), answer=vary(variation.drop_mask))
def obeys_masks_of_every_shape(candidate: Candidate, draw: Model, answer: Varied) -> None:
    """masks (S, S), (B, 1, 1, S), (B, H, S, S) and the like all act, and change nothing else

    fr: les masques (S, S), (B, 1, 1, S), (B, H, S, S) et autres agissent tous, et ne changent rien d'autre
    """
    value_name = tr("the output under the mask")
    variation.agree_in_variation(
        candidate, answer, variation.takes_the_mask_written_out, _output_for, value_name
    )


@check(points=2, given=models(least=2))
def ignores_what_is_masked(candidate: Candidate, draw: Model) -> None:
    """what is masked for all queries has no influence on any other position

    fr: ce qui est masqué pour toutes les requêtes n'a d'influence sur aucune autre position
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)

    def answered(x: Tensor, mask: Tensor) -> Tensor:
        return output_of(module(x, mask), x)

    _mask, _output = ignores_masked_keys(answered, draw.x, draw.seed)


@check(points=3, given=models(least=2))
def does_not_look_ahead(candidate: Candidate, draw: Model) -> None:
    """under a causal mask a change at the last position changes the last output alone

    fr: sous un masque causal, changer la dernière position ne change que la dernière sortie
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    mask = causal_mask(draw.x.shape[1])
    changed = draw.x.clone()
    changed[:, -1] += 1
    before, after = output_of(module(draw.x, mask), draw.x), output_of(module(changed, mask), draw.x)
    alike(after[:, :-1], before[:, :-1], tr("the output before the change"))
    require(
        not torch.equal(after[:, -1], before[:, -1]), tr("the output at the changed position did not change")
    )


@check(points=1, given=models(least=2))
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


@check(points=1, given=models(masked=False))
def treats_sequences_apart(candidate: Candidate, draw: Model) -> None:
    """each sequence of a batch is answered as if it were alone

    fr: chaque séquence d'un lot reçoit la même réponse que si elle était seule
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    output = output_of(module(draw.x), draw.x)
    for sequence, expected in zip(draw.x.split(1), output.split(1), strict=True):
        alike(output_of(module(sequence), sequence), expected, tr("a sequence alone"))


@check(points=2, given=models(), answer=reference_answer_with_gradients)
def teaches_every_parameter(candidate: Candidate, draw: Model, answer: ReferenceAnswer) -> None:
    """gradients reach every parameter and x; where the output is right, they are too

    fr: les gradients atteignent chaque paramètre et x ; là où la sortie est juste, ils le sont aussi
    """
    module = candidate.with_reference_weights(answer)
    agree_gradients(answer, module, place_of_output(module(*draw.arguments), draw.x))


@check(points=1, given=indivisible(), draws=10, shape_only=True)
def refuses_a_width_it_cannot_split(candidate: Candidate, draw: Indivisible) -> None:
    """an E that H does not divide is an error at construction

    fr: un E que H ne divise pas est une erreur à la construction
    """
    properties.refuses(candidate, draw)


@check(points=1, given=models(masked=None, least=2, plain=True), on_its_word=True)
def leaves_its_arguments_alone(candidate: Candidate, draw: Model) -> str | None:
    """x and the mask keep their values, and the second call answers as the first

    fr: x et le masque gardent leurs valeurs, et le deuxième appel répond comme le premier
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    output_of(module(*draw.arguments), draw.x)
    return properties.leaves_alone(module, draw.arguments, "x", tr("the mask"))


def diagnostic_draws(seed: int) -> list[Model]:
    """Draws of fixed sizes in float64 that tell the known mistakes apart."""
    config = {"embed_dim": 12, "num_heads": 3}
    of_heads = hiding(4, 6, seed + 7).reshape(2, 2, 6, 6)
    return [
        modelled(config, 2, 5, seed),
        modelled(config, 2, 5, seed + 1, hiding(2, 5, seed)),
        modelled(config, 2, 5, seed + 2, almost_causal(5)),
        modelled({"embed_dim": 10, "num_heads": 2}, 2, 6, seed + 3, of_heads),
        modelled(config, 2, 7, seed + 4, torch.arange(7) >= torch.tensor([3, 5])[:, None, None, None]),
        modelled({"embed_dim": 8, "num_heads": 4}, 1, 3, seed + 5),
        modelled(config, 2, 5, seed + 6, almost_causal(5), scale=30.0),
        modelled({"embed_dim": 10, "num_heads": 3}, 2, 5, seed + 7),
    ]


def timed(length: int, heads: int = 2, batch: int = 1) -> Timed:
    """An input (B, S, E) with E = 64."""
    flops = flops_of_attention(batch, length, 64, projections=4)
    return Timed(((batch, length, 64),), {"embed_dim": 64, "num_heads": heads}, flops)


class Fused(torch.nn.Module):
    """The output without the weights, which are never all in memory."""

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (torch.nn.Linear(embed_dim, embed_dim) for _ in range(4))

    def forward(self, x: Tensor) -> Tensor:
        """(B, S, E) -> (B, S, E)."""
        parts = (layer(x).unflatten(-1, (self.num_heads, -1)) for layer in (self.W_q, self.W_k, self.W_v))
        Q, K, V = (part.transpose(1, 2) for part in parts)
        together = torch.nn.functional.scaled_dot_product_attention(Q, K, V).transpose(1, 2).flatten(2)
        return self.W_o(together)  # type: ignore[no-any-return]


options = Options(
    mask=MaskArgument(
        1, Sense.TRUE_HIDES, check="ignores_what_is_masked", shapes="obeys_masks_of_every_shape"
    ),
    drawn=DrawnAttention(
        lambda x, mask: Model({"embed_dim": x.shape[-1], "num_heads": HEADS}, x, mask),
        BOTH_WAYS,
        weights_at=1,
    ),
    diagnostic_draws=diagnostic_draws,
    read=output_of,
    timed=timed,
)
