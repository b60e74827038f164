"""CrossAttention(embed_dim, num_heads, kv_dim=None); forward(x, memory, mask=None) -> (output, weights)."""

from functools import partial

import torch
from torch import Tensor

from graders.check_api import memory_properties, properties
from graders.check_api.check import Candidate, alike, check, require
from graders.check_api.drawn_attention import HEADS, SEES_ALL, DrawnAttention
from graders.check_api.mask_sense import MaskArgument, Sense
from graders.check_api.options import Options
from graders.check_api.output_and_weights import output_of, place_of_output
from graders.check_api.reference_answer import ReferenceAnswer, reference_answer_with_gradients
from graders.check_api.reference_gradients import teaches
from graders.check_api.standard_checks.output_and_weights_checks import OutputAndWeightsChecks
from graders.check_api.strategies.attention_masks import hiding
from graders.check_api.strategies.extremes import extremes
from graders.check_api.strategies.memories import Crossed, crossed, fixed_memories, states
from graders.check_api.strategies.tensors import normal
from graders.check_api.usual_sizes import length_of, memory_width
from graders.language import tr

SIZES = {"embed_dim": 12, "num_heads": 3, "kv_dim": 10}


def diagnostic_draws(seed: int) -> list[Crossed]:
    """Draws of fixed sizes in float64 that tell the known mistakes apart."""
    config = SIZES
    of_heads = hiding(4, 5, seed)[:, :, :4].reshape(2, 2, 4, 5)
    drawn: list[tuple[dict[str, int], int, int, Tensor | None]] = [
        (config, 5, 8, None),
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
            states(2 if n else 3, queries, config["embed_dim"], seed + 2 * n),
            states(2 if n else 3, keys, config.get("kv_dim", config["embed_dim"]), seed + 2 * n + 1),
            mask,
            seed=seed + n,
        )
        for n, (config, queries, keys, mask) in enumerate(drawn)
    ]


options = Options(
    mask=MaskArgument(
        2, Sense.TRUE_HIDES, check="ignores_what_is_masked", inputs=(1,), shapes="obeys_masks_of_every_shape"
    ),
    sizes=(
        memory_width("kv_dim", "embed_dim", "takes_a_memory_of_another_width", "memory"),
        length_of("memory", "x", "keeps_the_shape_of_x"),
    ),
    drawn=DrawnAttention(
        lambda x, _: Crossed({"embed_dim": x.shape[-1], "num_heads": HEADS}, x, x), SEES_ALL, weights_at=1
    ),
    diagnostic_draws=diagnostic_draws,
    read=output_of,
)
attention = OutputAndWeightsChecks(crossed, options, shape_of_weights=lambda draw: draw.shape_of_weights)

answers_with_output_and_weights = attention.answers_with_output_and_weights(
    points=3,
    draws=6,
    says="""the answer is (output, weights), with the attention weights of each head, (B, H, Sq, Sk)

    fr: la réponse est (sortie, poids), avec les poids d'attention de chaque tête, (B, H, Sq, Sk)
    """,
)
keeps_the_shape_of_x = attention.keeps_the_shape_of_x(
    points=1,
    draws=4,
    says="""the output has the shape of x, (B, Sq, E), however long the memory is

    fr: la sortie a la forme de x, (B, Sq, E), quelle que soit la longueur de la mémoire
    """,
)
has_four_layers_with_bias = attention.has_parameters(
    lambda config: 2 * config["embed_dim"] * (config["embed_dim"] + config["kv_dim"] + 2),
    points=1,
    draws=3,
    says="""four linear layers with bias: two from E to E, two from the memory's width to E

    fr: quatre couches linéaires avec biais : deux de E vers E, deux de la largeur de la mémoire vers E
    """,
)
computes_what_the_reference_computes = attention.computes_what_the_reference_computes(points=12)


@check(points=1, given=crossed(), draws=3)
def takes_a_memory_of_another_width(candidate: Candidate, draw: Crossed) -> None:
    """the memory may have another width than x, and each of its columns counts

    fr: la mémoire peut avoir une autre largeur que x, et chacune de ses colonnes compte
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    output = output_of(module(draw.x, draw.memory), draw.x)
    alike(output_of(module(draw.x, draw.memory), draw.x), output, tr("the output of the second call"))
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


answers_long_sequences = attention.answers_long_sequences(
    points=1,
    extremes=extremes(partial(fixed_memories, Crossed, SIZES), "embed_dim", SIZES),
    otherwise=memory_properties.answers_repeats_alike,
)
computes_in_double_precision = attention.computes_in_double_precision(points=1, draws=5)
obeys_masks_of_every_shape = attention.takes_masks_of_every_shape(
    points=3,
    given=crossed(masked=True),
    otherwise=memory_properties.takes_the_masks_written_out,
    says="""masks (Sq, Sk), (B, 1, 1, Sk), (B, H, Sq, Sk) and the like all act, and change nothing else

    fr: les masques (Sq, Sk), (B, 1, 1, Sk), (B, H, Sq, Sk) et autres agissent tous, et ne changent rien
    d'autre
    """,
)


@check(points=3, given=crossed(), draws=4)
def ignores_what_is_masked(candidate: Candidate, draw: Crossed) -> None:
    """what is masked of the memory has no influence, and the rest has

    fr: ce qui est masqué de la mémoire n'a aucune influence, et le reste en a
    """

    def judge(dtype: torch.dtype) -> None:
        module = candidate.with_random_weights(draw.seed, **draw.config).to(dtype)
        x = draw.x.to(dtype)
        memory_properties.ignores_masked_memory(
            lambda memory, mask: output_of(module(x, memory, mask), x), draw.memory.to(dtype), draw.seed
        )

    properties.in_double(judge, draw.x.dtype)


@check(points=2, given=crossed(), draws=3)
def knows_no_order_of_the_memory(candidate: Candidate, draw: Crossed) -> None:
    """without a mask, the memory in another order gives the same output; x in another order reorders it

    fr: sans masque, la mémoire dans un autre ordre donne la même sortie ; x dans un autre ordre la réordonne
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    output = memory_properties.knows_no_order_of_the_memory(
        lambda draw: output_of(module(draw.x, draw.memory), draw.x), draw
    )
    reordered = output_of(module(draw.x.roll(1, 1), draw.memory), draw.x)
    alike(reordered, output.roll(1, 1), tr("the output for another order"))


treats_sequences_apart = attention.treats_sequences_apart(
    points=1,
    draws=2,
    says="""each sequence of a batch is answered as if it and its memory were alone

    fr: chaque séquence d'un lot reçoit la même réponse que si elle et sa mémoire étaient seules
    """,
)


answers_the_smallest_sizes = attention.answers_the_smallest_sizes(
    "length", "memory", "num_heads", "embed_dim", "kv_dim", points=0.5
)


@check(points=2, given=crossed(), answer=reference_answer_with_gradients, draws=5)
def teaches_every_parameter(candidate: Candidate, draw: Crossed, answer: ReferenceAnswer) -> None:
    """gradients reach every parameter, x and the memory; where the output is right, they are too

    fr: les gradients atteignent chaque paramètre, x et la mémoire ; là où la sortie est juste, ils le sont
    aussi
    """
    module = teaches(candidate, answer, lambda m: place_of_output(m(*draw.arguments), draw.x))
    memory_properties.teaches_the_memory(module, draw, place_of_output(module(*draw.arguments), draw.x))


refuses_a_width_it_cannot_split = attention.refuses_a_width_it_cannot_split(points=1, draws=4)
leaves_its_arguments_alone = attention.leaves_its_arguments_alone(
    points=1, draws=3, given=crossed(masked=True)
)
