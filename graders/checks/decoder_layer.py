"""DecoderLayer(embed_dim, num_heads, ff_dim, dropout); forward(x, memory, mask=None, memory_mask=None)."""

from dataclasses import dataclass, field, replace
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api import mask_properties, memory_properties, properties, variation
from graders.check_api.check import Candidate, alike, check, same, shaped, tensor
from graders.check_api.mask_sense import MaskArgument, Sense
from graders.check_api.options import Options
from graders.check_api.properties import first_tensor
from graders.check_api.reference_answer import (
    ReferenceAnswer,
    reference_answer,
    reference_answer_with_gradients,
)
from graders.check_api.reference_gradients import agree_gradients
from graders.check_api.strategies.attention_masks import almost_causal, hiding
from graders.check_api.strategies.lengths import LONG, of_length
from graders.check_api.strategies.memories import Decoded, decoded, states
from graders.check_api.strategies.tensors import hidden, normal, seeds
from graders.check_api.usual_sizes import inner_width
from graders.check_api.variation import Varied, vary
from graders.language import tr

DEFAULT = "is_four_times_as_wide_by_default"
SMALL, LARGE = 0.05, 1e4  # of the input: small beside the epsilon of a norm, and large


@check(points=1, given=decoded(), shape_only=True, draws=4)
def keeps_the_shape_of_x(candidate: Candidate, draw: Decoded) -> None:
    """(B, St, E) stays (B, St, E), however long the memory is, and one tensor comes back

    fr: (B, St, E) reste (B, St, E), quelle que soit la longueur de la mémoire, et un seul tenseur est renvoyé
    """
    shaped(tensor(candidate.construct(**draw.config)(*draw.arguments)), tuple(draw.x.shape))


@check(points=1, given=decoded(), shape_only=True, draws=3)
def has_the_parameters_of_its_parts(candidate: Candidate, draw: Decoded) -> None:
    """its parameters are those of two attentions, the feed-forward network and three norms

    fr: ses paramètres sont ceux de deux attentions, du réseau feed-forward et de trois normes
    """
    parameters = candidate.construct(**draw.config).parameters()
    _has_the_parameters(parameters, draw.config["embed_dim"], draw.config["ff_dim"])


@check(points=1, given=decoded(), shape_only=True, draws=2)
def is_four_times_as_wide_by_default(candidate: Candidate, draw: Decoded) -> None:
    """without ff_dim, the inner width of the feed-forward network is 4 * E

    fr: sans ff_dim, la largeur intérieure du réseau feed-forward est 4 * E
    """
    properties.is_four_times_as_wide(candidate, draw.config["embed_dim"], draw.config["num_heads"])


@check(points=12, given=decoded(), answer=reference_answer, core=True, draws=8)
def computes_what_the_reference_computes(
    candidate: Candidate, draw: Decoded, answer: ReferenceAnswer
) -> None:
    """under the same weights, the output is the reference's: pre-norm, each part's output added to its input

    fr: avec les mêmes poids, la sortie est celle de la référence : pre-norm, chaque partie ajoutée à ce qui
    est entré
    """
    answer.agree(first_tensor(candidate.with_reference_weights(answer)(*draw.arguments)))


def _enlarged(draw: Decoded) -> Decoded:
    """The draw with an input so large that no epsilon has an effect."""
    return replace(draw, x=draw.x * LARGE)


@check(points=1, given=decoded(scale=SMALL), answer=vary(_enlarged), draws=4)
def normalises_small_inputs_too(candidate: Candidate, draw: Decoded, answer: Varied) -> None:
    """small inputs are normalised as large ones are: the norms' eps is 1e-5 or less

    fr: de petites entrées sont normalisées comme de grandes : l'eps des normes vaut 1e-5 ou moins
    """
    variation.agree_in_variation(candidate, answer)


@check(
    points=1,
    given=decoded(least=33, most=128),
    answer=vary(variation.shorten),
    draws=2,
    kept_because=LONG,
    at_length=of_length(decoded),
)
def answers_long_sequences(candidate: Candidate, draw: Decoded, answer: Varied) -> None:
    """33 to 128 positions are answered as a few are

    fr: 33 à 128 positions reçoivent la même réponse que quelques-unes
    """
    variation.agree_in_variation(candidate, answer, memory_properties.answers_repeats_alike)


@check(points=1, given=decoded(dtype=torch.float64), answer=vary(variation.cast_to_single), draws=4)
def computes_in_double_precision(candidate: Candidate, draw: Decoded, answer: Varied) -> str | None:
    """in float64 the answer is of float64, and the same as in float32

    fr: en float64, la réponse est en float64, et la même qu'en float32
    """
    return variation.agree_in_double(candidate, answer)


@check(points=3, given=decoded(masked=True, least=2), answer=vary(variation.drop_mask), draws=8)
def hands_each_mask_to_its_attention(candidate: Candidate, draw: Decoded, answer: Varied) -> None:
    """masks of several shapes act, each in its own attention, and change nothing else

    fr: les masques de plusieurs formes agissent, chacun dans son attention, et ne changent rien d'autre
    """
    value_name = tr("the output under the masks")
    own = memory_properties.takes_the_masks_written_out
    variation.agree_in_variation(candidate, answer, own, value_name=value_name)


@check(points=2, given=decoded(least=2), draws=3)
def does_not_look_ahead(candidate: Candidate, draw: Decoded) -> None:
    """under a causal mask, a change at the last position changes no earlier output

    fr: sous un masque causal, changer la dernière position ne change aucune sortie antérieure
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    length = draw.x.shape[1]
    mask = torch.ones(length, length, dtype=torch.bool).triu(1)
    changed = draw.x.clone()
    changed[:, -1] += normal(*changed[:, -1].shape, seed=draw.seed + 1)
    arguments = [draw.x, draw.memory, mask]
    mask_properties.does_not_look_ahead(module, arguments, changed)


@check(points=2, given=decoded(least=2), draws=3)
def ignores_what_is_masked(candidate: Candidate, draw: Decoded) -> None:
    """what mask hides of x for all queries has no influence on any other position

    fr: ce que mask cache de x pour toutes les requêtes n'a d'influence sur aucune autre position
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    _mask, _output = mask_properties.ignores_masked_keys(
        lambda x, mask: first_tensor(module(x, draw.memory, mask)), draw.x, draw.seed
    )


@check(points=2, given=decoded(least=2), draws=3)
def ignores_what_is_masked_of_the_memory(candidate: Candidate, draw: Decoded) -> None:
    """what memory_mask hides of the memory has no influence, and the rest has

    fr: ce que memory_mask cache de la mémoire n'a aucune influence, et le reste en a
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    _mask, _output = memory_properties.ignores_masked_memory(
        lambda memory, mask: first_tensor(module(draw.x, memory, None, mask)), draw.memory, draw.seed
    )


@check(points=1, given=decoded(least=2), draws=2)
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


@check(points=2, given=decoded(), answer=reference_answer_with_gradients, draws=4)
def teaches_every_parameter(candidate: Candidate, draw: Decoded, answer: ReferenceAnswer) -> None:
    """gradients reach every parameter, x and the memory; where the output is right, they are too

    fr: les gradients atteignent chaque paramètre, x et la mémoire ; là où la sortie est juste, ils le sont
    aussi
    """
    module = candidate.with_reference_weights(answer)
    agree_gradients(answer, module)
    memory_properties.teaches_the_memory(module, draw)


@dataclass(frozen=True)
class Wide:
    """A layer so wide that dropout is certain to change the output."""

    embed_dim: int
    num_heads: int
    dropout: float
    seed: int = field(default=0, metadata=hidden)


wide = st.builds(
    Wide,
    embed_dim=st.sampled_from([16, 32]),
    num_heads=st.sampled_from([2, 4]),
    dropout=st.sampled_from([0.5, 0.3]),
    seed=seeds(),
)


@check(points=2, given=wide, draws=2)
def drops_in_training_only(candidate: Candidate, draw: Wide) -> None:
    """dropout acts in training and at no other time, and a rate of 0 drops nothing

    fr: le dropout agit à l'entraînement et jamais ailleurs, et un taux de 0 n'efface rien
    """
    width, pair = draw.embed_dim, [normal(4, n, draw.embed_dim, seed=draw.seed + n) for n in (8, 6)]
    module = candidate.construct(width, draw.num_heads, 4 * width, dropout=draw.dropout)
    properties.drops_in_training(module, pair, draw.dropout)
    module = candidate.construct(width, draw.num_heads, 4 * width, dropout=0.0)
    without = first_tensor(module(*pair))
    same(first_tensor(module.train()(*pair)), without, tr("the output in training with dropout=0"))


@check(points=1, given=decoded(masked=True, least=2), on_its_word=True, draws=3)
def leaves_its_arguments_alone(candidate: Candidate, draw: Decoded) -> str | None:
    """x, the memory and the masks keep their values, and the second call answers as the first

    fr: x, la mémoire et les masques gardent leurs valeurs, et le deuxième appel répond comme le premier
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    first_tensor(module(*draw.arguments))
    names = ("x", tr("the memory"), tr("the mask"), "memory_mask")
    return properties.leaves_alone(module, draw.arguments, *names)


def _has_the_parameters(parameters: dict[str, Tensor], width: int, inner: int) -> None:
    attention, feed_forward, norms = 4 * (width * width + width), 2 * width * inner + inner + width, 6 * width
    properties.has_parameters(parameters, 2 * attention + feed_forward + norms)


def diagnostic_draws(seed: int) -> list[Decoded]:
    """Draws of fixed sizes in float64 that tell the known mistakes apart."""
    config: dict[str, Any] = {"embed_dim": 12, "num_heads": 3, "ff_dim": 20}
    of_memory = hiding(2, 7, seed + 3)[:, :, :5]
    return [
        _drawn(config, 5, 7, seed),
        _drawn(config, 5, 7, seed + 1, hiding(2, 5, seed), of_memory),
        _drawn(config, 5, 7, seed + 2, almost_causal(5)),
        _drawn(config, 5, 7, seed + 3, None, of_memory),
        _drawn(config, 4, 6, seed + 4, scale=0.05),
        _drawn({"embed_dim": 8, "num_heads": 2}, 6, 3, seed + 5),
        _drawn({**config, "dropout": 0.0}, 5, 4, seed + 6),
        _drawn({**config, "dropout": 0.5}, 4, 6, seed + 7),
    ]


def _drawn(
    config: dict[str, Any],
    length: int,
    of_memory: int,
    seed: int,
    mask: Tensor | None = None,
    memory_mask: Tensor | None = None,
    scale: float = 1.0,
) -> Decoded:
    """A draw with two sequences."""
    x, memory = (states(2, n, config["embed_dim"], seed + n, scale=scale) for n in (length, of_memory))
    return Decoded(config, x, memory, mask, memory_mask, seed=seed)


options = Options(
    mask=MaskArgument(
        2,
        Sense.TRUE_HIDES,
        check="ignores_what_is_masked",
        shapes="hands_each_mask_to_its_attention",
        also=(3,),
    ),
    sizes=(inner_width("ff_dim", "embed_dim", "has_the_parameters_of_its_parts", default_check=DEFAULT),),
    diagnostic_draws=diagnostic_draws,
)
