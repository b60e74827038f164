"""DecoderLayer(embed_dim, num_heads, ff_dim, dropout); forward(x, memory, mask=None, memory_mask=None)."""

from functools import partial
from typing import Any

import torch
from torch import Tensor

from graders.check_api import memory_properties, properties
from graders.check_api.check import Candidate, alike, check, shaped
from graders.check_api.mask_sense import MaskArgument, Sense
from graders.check_api.options import Options
from graders.check_api.parameter_counts import count_attention, count_layer, count_norm
from graders.check_api.properties import first_tensor
from graders.check_api.reference_answer import ReferenceAnswer, reference_answer_with_gradients
from graders.check_api.reference_gradients import teaches
from graders.check_api.standard_checks.attention_checks import AttentionChecks
from graders.check_api.strategies.attention_masks import almost_causal, hiding
from graders.check_api.strategies.extremes import extremes
from graders.check_api.strategies.memories import Decoded, decoded, fixed_memories, states
from graders.check_api.strategies.tensors import seeds
from graders.check_api.usual_sizes import heads_and_width, inner_width, length_of
from graders.language import tr

DEFAULT = "is_four_times_as_wide_by_default"


SIZES = {"embed_dim": 12, "num_heads": 3, "ff_dim": 20}


def two_sequences(
    config: dict[str, Any], sizes: tuple[int, ...], seed: int, scale: float = 1.0, **masks: Tensor
) -> Decoded:
    """A draw in float64; `sizes` are the lengths of x and of the memory, then the batch, by default 2."""
    *lengths, batch = (*sizes, 2)[:3]
    x, memory = (states(batch, n, config["embed_dim"], seed + n, scale=scale) for n in lengths)
    return Decoded(config, x, memory, **masks, seed=seed)


def diagnostic_draws(seed: int) -> list[Decoded]:
    """Draws of fixed sizes in float64 that tell the known mistakes apart."""
    config: dict[str, Any] = {**SIZES}
    of_memory = hiding(2, 7, seed + 3)[:, :, :5]
    return [
        two_sequences(config, (5, 8, 3), seed),
        two_sequences(config, (5, 7), seed + 1, mask=hiding(2, 5, seed), memory_mask=of_memory),
        two_sequences(config, (5, 7), seed + 2, mask=almost_causal(5)),
        two_sequences(config, (5, 7), seed + 3, memory_mask=of_memory),
        two_sequences(config, (4, 6), seed + 4, scale=0.05),
        two_sequences({"embed_dim": 8, "num_heads": 2}, (6, 3), seed + 5),
        two_sequences({**config, "dropout": 0.0}, (5, 4), seed + 6),
        two_sequences({**config, "dropout": 0.5}, (4, 6), seed + 7),
    ]


options = Options(
    mask=MaskArgument(
        2,
        Sense.TRUE_HIDES,
        check="ignores_what_is_masked",
        shapes="hands_each_mask_to_its_attention",
        also=(3,),
    ),
    sizes=(
        *heads_and_width("num_heads", "embed_dim", "has_the_parameters_of_its_parts", "x memory"),
        inner_width("ff_dim", "embed_dim", "has_the_parameters_of_its_parts", default_check=DEFAULT),
        length_of("memory", "x", "keeps_the_shape_of_x"),
    ),
    diagnostic_draws=diagnostic_draws,
)
layer = AttentionChecks(decoded, options)

keeps_the_shape_of_x = layer.keeps_the_shape(
    points=1,
    draws=4,
    says="""(B, St, E) stays (B, St, E), however long the memory is, and one tensor comes back

    fr: (B, St, E) reste (B, St, E), quelle que soit la longueur de la mémoire, et un seul tenseur est renvoyé
    """,
)
has_the_parameters_of_its_parts = layer.has_parameters(
    lambda config: (
        count_layer(config["embed_dim"], config["ff_dim"])
        + count_attention(config["embed_dim"])
        + count_norm(config["embed_dim"])
    ),
    points=1,
    draws=3,
    says="""its parameters are those of two attentions, the feed-forward network and three norms

    fr: ses paramètres sont ceux de deux attentions, du réseau feed-forward et de trois normes
    """,
)
is_four_times_as_wide_by_default = layer.is_four_times_as_wide_by_default(points=1, draws=2)
computes_what_the_reference_computes = layer.computes_what_the_reference_computes(
    points=13,
    says="""under the same weights, the output is the reference's: pre-norm, each part's output added to its
    input

    fr: avec les mêmes poids, la sortie est celle de la référence : pre-norm, chaque partie ajoutée à ce qui
    est entré
    """,
)
normalises_small_inputs_too = layer.normalises_small_inputs_too(points=1, draws=4)
answers_long_sequences = layer.answers_long_sequences(
    points=1,
    draws=2,
    extremes=extremes(partial(fixed_memories, Decoded, {**SIZES, "dropout": 0.0}), "embed_dim", SIZES),
    otherwise=memory_properties.answers_repeats_alike,
)
computes_in_double_precision = layer.computes_in_double_precision(points=1, draws=4)
hands_each_mask_to_its_attention = layer.takes_masks_of_every_shape(
    points=3.5,
    given=decoded(masked=True),
    otherwise=memory_properties.takes_the_masks_written_out,
    says="""masks of several shapes act, each in its own attention, and change nothing else

    fr: les masques de plusieurs formes agissent, chacun dans son attention, et ne changent rien d'autre
    """,
)
does_not_look_ahead = layer.does_not_look_ahead(
    points=2,
    draws=3,
    causal=False,
    says="""under a causal mask, a change at the last position changes no earlier output

    fr: sous un masque causal, changer la dernière position ne change aucune sortie antérieure
    """,
)
ignores_what_is_masked = layer.ignores_what_is_masked(
    points=2,
    draws=3,
    says="""what mask hides of x for all queries has no influence on any other position

    fr: ce que mask cache de x pour toutes les requêtes n'a d'influence sur aucune autre position
    """,
)


@check(points=2, given=decoded(), draws=3)
def ignores_what_is_masked_of_the_memory(candidate: Candidate, draw: Decoded) -> None:
    """what memory_mask hides of the memory has no influence, and the rest has

    fr: ce que memory_mask cache de la mémoire n'a aucune influence, et le reste en a
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    memory_properties.ignores_masked_memory(
        lambda memory, mask: first_tensor(module(draw.x, memory, None, mask)), draw.memory, draw.seed
    )


@check(points=1, given=decoded(), draws=2)
def knows_neither_order_nor_batch(candidate: Candidate, draw: Decoded) -> None:
    """the memory in another order changes nothing, x in another order reorders; each sequence stands alone

    fr: la mémoire dans un autre ordre ne change rien, x dans un autre ordre réordonne ; chaque séquence est
    traitée seule
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    output = memory_properties.knows_no_order_of_the_memory(
        lambda draw: first_tensor(module(*draw.arguments)), draw
    )
    shaped(output, tuple(draw.x.shape))
    turned = first_tensor(module(draw.x.roll(1, 1), draw.memory))
    alike(turned, output.roll(1, 1), tr("the output for another order"))
    properties.treats_sequences_apart(module, draw.arguments)


answers_the_smallest_sizes = layer.answers_the_smallest_sizes("length", "memory", "num_heads", points=1)


@check(points=2, given=decoded(), answer=reference_answer_with_gradients, draws=4)
def teaches_every_parameter(candidate: Candidate, draw: Decoded, answer: ReferenceAnswer) -> None:
    """gradients reach every parameter, x and the memory; where the output is right, they are too

    fr: les gradients atteignent chaque paramètre, x et la mémoire ; là où la sortie est juste, ils le sont
    aussi
    """
    module = teaches(candidate, answer)
    memory_properties.teaches_the_memory(module, draw)


drops_in_training_only = layer.drops_in_training_only(
    points=2,
    draws=2,
    rate="dropout",
    given=seeds().map(
        lambda seed: Decoded(
            {"embed_dim": 16, "num_heads": 4, "ff_dim": 64},
            states(4, 8, 16, seed, torch.float32),
            states(4, 6, 16, seed + 1, torch.float32),
            seed=seed,
        )
    ),
    says="""dropout acts in training and at no other time, and a rate of 0 drops nothing

    fr: le dropout agit à l'entraînement et jamais ailleurs, et un taux de 0 n'efface rien
    """,
)
leaves_its_arguments_alone = layer.leaves_its_arguments_alone(points=1, draws=3, given=decoded(masked=True))
