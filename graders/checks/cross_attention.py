"""CrossAttention(embed_dim, num_heads, kv_dim=None); forward(x, memory, mask=None) -> (output, weights)."""

from typing import Any

import torch
from torch import Tensor

from graders.check_api import memory_properties, properties, variation
from graders.check_api.check import (
    Candidate,
    Module,
    Violation,
    alike,
    check,
    kind,
    require,
    same,
    shaped,
    tensor,
)
from graders.check_api.drawn_attention import HEADS, SEES_ALL, DrawnAttention
from graders.check_api.mask_sense import MaskArgument, Sense
from graders.check_api.options import Options
from graders.check_api.output_and_weights import is_pair, output_of, place_of_output
from graders.check_api.reference_answer import (
    ReferenceAnswer,
    reference_answer,
    reference_answer_with_gradients,
)
from graders.check_api.reference_gradients import agree_gradients
from graders.check_api.strategies.attention_masks import hiding
from graders.check_api.strategies.lengths import LONG, of_length
from graders.check_api.strategies.memories import Crossed, crossed, states
from graders.check_api.strategies.module_inputs import Indivisible, indivisible
from graders.check_api.strategies.tensors import normal
from graders.check_api.usual_sizes import memory_width
from graders.check_api.variation import Varied, vary
from graders.language import tr


def _output_for(candidate: Candidate, answer: ReferenceAnswer) -> Tensor:
    x = answer.draw.arguments[0]
    return output_of(candidate.with_reference_weights(answer)(*answer.draw.arguments), x)


def weights_of(answer: Any, draw: Crossed) -> Tensor:
    """The weights of each head."""
    message = tr("the answer should be the pair (output, weights), but is {kind}", kind=kind(answer))
    require(is_pair(answer), message)
    message = tr("output and weights are swapped: the answer should be (output, weights), in this order")
    require(place_of_output(answer, draw.x) == 0, message)
    weights, due = tensor(answer[1], tr("the weights")), draw.shape_of_weights
    batch, _, queries, keys = due
    if tuple(weights.shape) in ((batch, queries, keys), (batch, 1, queries, keys)) and weights.shape != due:
        message = tr(
            "the weights have shape {shape}, but are those of each head due, {due}: "
            "have they been averaged, or is one head's all that is left?",
            shape=tuple(weights.shape),
            due=due,
        )
        raise Violation(message, actual=weights)
    shaped(weights, due, tr("the weights"))
    return weights


@check(points=3, given=crossed(), answer=reference_answer, draws=6)
def answers_with_output_and_weights(candidate: Candidate, draw: Crossed, answer: ReferenceAnswer) -> None:
    """the answer is (output, weights), with the attention weights of each head, (B, H, Sq, Sk)

    fr: la réponse est (sortie, poids), avec les poids d'attention de chaque tête, (B, H, Sq, Sk)
    """
    pair = candidate.with_reference_weights(answer)(*draw.arguments)
    output, weights = output_of(pair, draw.x), weights_of(pair, draw)
    try:
        answer.agree(weights, 1, value_name=tr("the attention weights"))
    except Violation:
        if answer.accepts(output):
            raise
        sums = torch.ones(weights.shape[:-1], dtype=weights.dtype)
        alike(weights.sum(-1), sums, tr("the sum of each query's weights"))
        require(bool((weights >= 0).all()), tr("some weights are negative or not a number"))


@check(points=1, given=crossed(), shape_only=True, draws=4)
def keeps_the_shape_of_x(candidate: Candidate, draw: Crossed) -> str | None:
    """the output has the shape of x, (B, Sq, E), however long the memory is

    fr: la sortie a la forme de x, (B, Sq, E), quelle que soit la longueur de la mémoire
    """
    answer = candidate.construct(**draw.config)(*draw.arguments)
    output_of(answer, draw.x)
    try:
        weights_of(answer, draw)
    except Violation as wrong:  # the check of the weights takes points for it, where it can be decided
        return tr("remark: {what}", what=wrong)
    return None


@check(points=1, given=crossed(), shape_only=True, draws=3)
def has_four_layers_with_bias(candidate: Candidate, draw: Crossed) -> None:
    """four linear layers with bias: two from E to E, two from the memory's width to E

    fr: quatre couches linéaires avec biais : deux de E vers E, deux de la largeur de la mémoire vers E
    """
    width, other = draw.config["embed_dim"], draw.config["kv_dim"]
    parameters = candidate.construct(**draw.config).parameters()
    properties.has_parameters(parameters, 2 * width * width + 2 * other * width + 4 * width)


@check(points=12, given=crossed(fewest=2, least=2), answer=reference_answer, core=True, draws=8)
def computes_what_the_reference_computes(
    candidate: Candidate, draw: Crossed, answer: ReferenceAnswer
) -> None:
    """under the same weights, the output is the reference's

    fr: avec les mêmes poids, la sortie est celle de la référence
    """
    answer.agree(_output_for(candidate, answer))


@check(points=1, given=crossed(), draws=3)
def takes_a_memory_of_another_width(candidate: Candidate, draw: Crossed) -> None:
    """the memory may have another width than x, and each of its columns counts

    fr: la mémoire peut avoir une autre largeur que x, et chacune de ses colonnes compte
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    output = output_of(module(draw.x, draw.memory), draw.x)
    same(output_of(module(draw.x, draw.memory), draw.x), output, tr("the output of the second call"))
    for column in range(draw.memory.shape[-1]):
        moved = draw.memory.clone()
        moved[..., column] += 1
        message = tr("the output does not depend on column {n} of the memory", n=column)
        require(not torch.equal(output_of(module(draw.x, moved), draw.x), output), message)


@check(points=1, given=crossed(), shape_only=True, draws=2)
def takes_a_memory_as_wide_as_x_by_default(candidate: Candidate, draw: Crossed) -> None:
    """without kv_dim, the memory has the width E

    fr: sans kv_dim, la mémoire a la largeur E
    """
    width = draw.config["embed_dim"]
    module = candidate.construct(width, draw.config["num_heads"])
    memory = normal(*draw.memory.shape[:2], width, seed=draw.seed + 1)
    output_of(module(draw.x, memory), draw.x)


@check(
    points=1,
    given=crossed(least=33, most=128),
    answer=vary(variation.shorten),
    draws=3,
    kept_because=LONG,
    at_length=of_length(crossed),
)
def answers_long_sequences(candidate: Candidate, draw: Crossed, answer: Varied) -> None:
    """33 to 128 positions are answered as a few are

    fr: 33 à 128 positions reçoivent la même réponse que quelques-unes
    """
    variation.agree_in_variation(candidate, answer, memory_properties.answers_repeats_alike, _output_for)


@check(points=1, given=crossed(dtype=torch.float64), answer=vary(variation.cast_to_single), draws=5)
def computes_in_double_precision(candidate: Candidate, draw: Crossed, answer: Varied) -> str | None:
    """in float64 the answer is of float64, and the same as in float32

    fr: en float64, la réponse est en float64, et la même qu'en float32
    """
    return variation.agree_in_double(candidate, answer, _output_for)


@check(points=3, given=crossed(masked=True, fewest=2, least=2), answer=vary(variation.drop_mask), draws=10)
def obeys_masks_of_every_shape(candidate: Candidate, draw: Crossed, answer: Varied) -> None:
    """masks (Sq, Sk), (B, 1, 1, Sk), (B, H, Sq, Sk) and the like all act, and change nothing else

    fr: les masques (Sq, Sk), (B, 1, 1, Sk), (B, H, Sq, Sk) et autres agissent tous, et ne changent rien
    d'autre
    """
    own = memory_properties.takes_the_masks_written_out
    variation.agree_in_variation(candidate, answer, own, _output_for, tr("the output under the mask"))


@check(points=3, given=crossed(least=2), draws=4)
def ignores_what_is_masked(candidate: Candidate, draw: Crossed) -> None:
    """what is masked of the memory has no influence, and the rest has

    fr: ce qui est masqué de la mémoire n'a aucune influence, et le reste en a
    """

    def judge(dtype: torch.dtype) -> None:
        module = candidate.with_random_weights(draw.seed, **draw.config).to(dtype)
        x, memory = draw.x.to(dtype), draw.memory.to(dtype)
        answered = lambda memory, mask: output_of(module(x, memory, mask), x)  # noqa: E731
        _mask, _output = memory_properties.ignores_masked_memory(answered, memory, draw.seed)

    properties.in_double(judge, draw.x.dtype)


@check(points=2, given=crossed(least=2), draws=3)
def knows_no_order_of_the_memory(candidate: Candidate, draw: Crossed) -> None:
    """without a mask, the memory in another order gives the same output; x in another order reorders it

    fr: sans masque, la mémoire dans un autre ordre donne la même sortie ; x dans un autre ordre la réordonne
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)

    def answered(draw: Crossed) -> Tensor:
        return output_of(module(draw.x, draw.memory), draw.x)

    output = memory_properties.knows_no_order_of_the_memory(answered, draw)
    reordered = output_of(module(draw.x.roll(1, 1), draw.memory), draw.x)
    alike(reordered, output.roll(1, 1), tr("the output for another order"))


@check(points=1, given=crossed(several=True), draws=2)
def treats_sequences_apart(candidate: Candidate, draw: Crossed) -> None:
    """each sequence of a batch is answered as if it and its memory were alone

    fr: chaque séquence d'un lot reçoit la même réponse que si elle et sa mémoire étaient seules
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    output = output_of(module(draw.x, draw.memory), draw.x)
    for n in range(len(draw.x)):
        x, memory = draw.x[n : n + 1], draw.memory[n : n + 1]
        alike(output_of(module(x, memory), x), output[n : n + 1], tr("a sequence alone"))


@check(points=2, given=crossed(), answer=reference_answer_with_gradients, draws=5)
def teaches_every_parameter(candidate: Candidate, draw: Crossed, answer: ReferenceAnswer) -> None:
    """gradients reach every parameter, x and the memory; where the output is right, they are too

    fr: les gradients atteignent chaque paramètre, x et la mémoire ; là où la sortie est juste, ils le sont
    aussi
    """
    module = candidate.with_reference_weights(answer)
    agree_gradients(answer, module, _place(module, draw))
    memory_properties.teaches_the_memory(module, draw, _place(module, draw))


def _place(module: Module, draw: Crossed) -> int:
    return place_of_output(module(*draw.arguments), draw.x)


@check(points=1, given=indivisible(), draws=4, shape_only=True)
def refuses_a_width_it_cannot_split(candidate: Candidate, draw: Indivisible) -> None:
    """an E that H does not divide is an error at construction

    fr: un E que H ne divise pas est une erreur à la construction
    """
    properties.refuses(candidate, draw)


@check(points=1, given=crossed(masked=True, least=2), on_its_word=True, draws=3)
def leaves_its_arguments_alone(candidate: Candidate, draw: Crossed) -> str | None:
    """x, the memory and the mask keep their values, and the second call answers as the first

    fr: x, la mémoire et le masque gardent leurs valeurs, et le deuxième appel répond comme le premier
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    output_of(module(*draw.arguments), draw.x)
    return properties.leaves_alone(module, draw.arguments, "x", tr("the memory"), tr("the mask"))


def diagnostic_draws(seed: int) -> list[Crossed]:
    """Draws of fixed sizes in float64 that tell the known mistakes apart."""
    config = {"embed_dim": 12, "num_heads": 3, "kv_dim": 10}
    of_heads = hiding(4, 5, seed)[:, :, :4].reshape(2, 2, 4, 5)
    drawn: list[tuple[dict[str, int], int, int, Tensor | None]] = [
        (config, 5, 7, None),
        (config, 5, 7, hiding(2, 7, seed)[:, :, :5]),
        (config, 6, 4, hiding(2, 6, seed + 1)[:, :, :, :4] & (torch.arange(4) > 0)),
        ({"embed_dim": 10, "num_heads": 2, "kv_dim": 6}, 4, 5, of_heads),
        (config, 3, 6, (torch.arange(6) >= torch.tensor([2, 5])[:, None])[:, None, None]),
        ({"embed_dim": 8, "num_heads": 4}, 4, 3, None),
        ({"embed_dim": 10, "num_heads": 3, "kv_dim": 7}, 5, 3, None),
    ]
    return [
        Crossed(
            config,
            states(2, queries, config["embed_dim"], seed + 2 * n),
            states(2, keys, config.get("kv_dim", config["embed_dim"]), seed + 2 * n + 1),
            mask,
            seed=seed + n,
        )
        for n, (config, queries, keys, mask) in enumerate(drawn)
    ]


options = Options(
    mask=MaskArgument(
        2, Sense.TRUE_HIDES, check="ignores_what_is_masked", inputs=(1,), shapes="obeys_masks_of_every_shape"
    ),
    sizes=(memory_width("kv_dim", "embed_dim", "takes_a_memory_of_another_width", "memory"),),
    drawn=DrawnAttention(
        lambda x, _: Crossed({"embed_dim": x.shape[-1], "num_heads": HEADS}, x, x), SEES_ALL, weights_at=1
    ),
    diagnostic_draws=diagnostic_draws,
    read=output_of,
)
