"""SimpleBertModel(...); forward(input_ids, token_type_ids=None, attention_mask=None) -> (B, S, E)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import torch
from hypothesis import strategies as st

from graders.check_api import properties, variation
from graders.check_api.check import Candidate, Module, alike, check, require, shaped
from graders.check_api.drawn_attention import SEES_ALL, DrawnAttention, sizes_of_model
from graders.check_api.mask_sense import MaskArgument, Sense
from graders.check_api.options import Options
from graders.check_api.properties import first_tensor
from graders.check_api.reference_answer import reference_answer
from graders.check_api.standard_checks.attention_checks import AttentionChecks
from graders.check_api.strategies.extremes import extremes
from graders.check_api.strategies.fed import Row, fixed_ids
from graders.check_api.strategies.module_inputs import Segments, segmented
from graders.check_api.strategies.tensors import ids, sizes, units
from graders.check_api.usual_sizes import (
    heads_and_width,
    inner_width,
    number_of_parts,
    number_of_positions,
    usual_number,
)
from graders.check_api.variants import GELUS
from graders.check_api.variation import Varied, vary
from graders.language import tr

DEFAULTS = {
    "vocab_size": 30522,
    "hidden_size": 128,
    "num_heads": 4,
    "num_layers": 4,
    "intermediate_size": 256,
    "max_position_embeddings": 512,
    "type_vocab_size": 2,
}
USUAL = {
    "vocab_size": 17,
    "hidden_size": 12,
    "num_heads": 3,
    "num_layers": 2,
    "intermediate_size": 20,
    "max_position_embeddings": 9,
    "type_vocab_size": 2,
}


def diagnostic_draws(seed: int) -> list[Segments]:
    """Draws that tell the known mistakes apart; three of them have segments or a mask."""
    rows = (
        *(Row(2, 5), Row(2, 5), Row(2, 5), Row(3, 9)),
        Row(2, 4, {"num_layers": 1, "num_heads": 4, "vocab_size": 7}),
        Row(2, 6, {"hidden_size": 24, "num_heads": None}),
        Row(2, 6, {"hidden_size": 24, "num_layers": None}),
        Row(2, 2, {"intermediate_size": None}),  # so short that no table of two rows raises
    )
    first, second, third, fourth, fifth, *others = fixed_ids(Segments, USUAL, *rows)(seed)
    types = ids(2, 5, vocabulary=2, seed=seed + 1)
    types[:, :2] = torch.tensor([0, 1])  # both segments are there, whatever the seed
    mask = torch.ones(2, 5, dtype=torch.int64)
    mask[0, -2:] = 0
    second = replace(second, token_type_ids=types, attention_mask=mask)
    third = replace(third, attention_mask=mask.flip(0))
    return [first, second, third, fourth, replace(fifth, token_type_ids=types[:1, :4]), *others]


options = Options(
    activations=GELUS,
    mask=MaskArgument(2, Sense.ONE_ALLOWS, check="answers_as_without_padding", beside=(1,)),
    sizes=(
        *heads_and_width("num_heads", "hidden_size", "has_the_parameters_of_its_parts"),
        number_of_parts("num_layers", "has_the_parameters_of_its_parts"),
        number_of_parts("vocab_size", "has_the_parameters_of_its_parts", "input_ids"),
        number_of_positions("max_position_embeddings", "has_the_parameters_of_its_parts"),
        inner_width("intermediate_size", "hidden_size", "has_the_parameters_of_its_parts", 128),
        usual_number("type_vocab_size", 2, "has_the_parameters_of_its_parts", ids="token_type_ids"),
    ),
    drawn=DrawnAttention(
        lambda ids, _: Segments(sizes_of_model(ids, type_vocab_size=2), ids), SEES_ALL, is_model=True
    ),
    diagnostic_draws=diagnostic_draws,
)
bert = partial(segmented, heads=True, num_layers=sizes(1, 2), intermediate_size=units(8))
padded = partial(bert, padded=True)


def either(**given: Any) -> st.SearchStrategy[Segments]:
    """Models with and without a mask."""
    return bert(**given) | padded(**given)


def expected_shape(draw: Segments) -> tuple[int, ...]:
    """(B, S, E)."""
    return *draw.input_ids.shape, draw.config["hidden_size"]


model = AttentionChecks(bert, options, shape=expected_shape)

keeps_the_shape = model.keeps_the_shape(
    points=1,
    given=either(),
    says="""ids (B, S) become one tensor (B, S, E)

    fr: les identifiants (B, S) donnent un seul tenseur (B, S, E)
    """,
)


@dataclass(frozen=True)
class SomeSizes:
    """All sizes of a model but one, which is left to its default."""

    config: dict[str, int]


def leave_out(name: str) -> dict[str, int]:
    """Small sizes without one of them. The width suits any number of heads up to four, and eight too."""
    small = {**USUAL, "vocab_size": 11, "hidden_size": 16, "num_heads": 2, "num_layers": 1}
    small |= {"intermediate_size": 5, "max_position_embeddings": 7, "type_vocab_size": 3}
    return {other: size for other, size in small.items() if other != name}


def count(given: Mapping[str, int]) -> int:
    """The number of parameters, where some sizes may be left to their defaults."""
    config = {**DEFAULTS, **given}
    width, inner = config["hidden_size"], config["intermediate_size"]
    rows = config["vocab_size"] + config["max_position_embeddings"] + config["type_vocab_size"] + 2
    layer = 4 * (width * width + width) + 2 * width * inner + inner + width + 4 * width
    return rows * width + config["num_layers"] * layer


has_the_parameters_of_its_parts = model.has_parameters(
    count,
    points=1,
    given=st.sampled_from(sorted(DEFAULTS)).map(leave_out).map(SomeSizes),
    says="""its parameters are those of embeddings and encoder, also where a size is left to its default

    fr: ses paramètres sont ceux des embeddings et de l'encodeur, même avec une taille par défaut
    """,
)


def complete(draw: Segments) -> Segments:
    """The draw with all sizes given, those of the course where one is left out."""
    return replace(draw, config={**DEFAULTS, **draw.config})


@check(
    points=1,
    given=st.sampled_from(["num_heads", "num_layers"])
    .map(leave_out)
    .map(lambda config: Segments(config, ids(2, 5, vocabulary=11, seed=1), seed=2)),
    answer=vary(complete, partial(reference_answer, activations=GELUS)),
)
def has_the_default_sizes(candidate: Candidate, draw: Segments, answer: Varied) -> None:
    """where num_heads or num_layers is left to its default, the output is that with 4 of them

    fr: si num_heads ou num_layers garde sa valeur par défaut, la sortie est celle que donne la valeur 4
    """

    def otherwise(module: Module, draw: Segments) -> None:
        whole = candidate.with_random_weights(draw.seed, **complete(draw).config)
        given, output = (first_tensor(given(*draw.arguments)) for given in (whole, module))
        alike(given, output.detach(), tr("the output where all sizes are given"))

    variation.agree_in_variation(candidate, answer, otherwise)


computes_what_the_reference_computes = model.computes_what_the_reference_computes(
    points=8,
    says="""under the same weights, the output is the reference's: embeddings, then the encoder

    fr: avec les mêmes poids, la sortie est celle de la référence : les embeddings, puis l'encodeur
    """,
)
answers_long_sequences = model.answers_long_sequences(
    points=1,
    otherwise=None,
    extremes=extremes(partial(fixed_ids, Segments, USUAL), "hidden_size", USUAL),
)
computes_in_double_precision = model.computes_in_double_precision(
    points=1, given=either(dtype=torch.float64), draws=5
)


def require_an_effect(module: Module, draw: Segments) -> None:
    """Require that the mask acts where there is padding."""
    assert draw.attention_mask is not None
    kept = draw.attention_mask.bool()
    output, plain = first_tensor(module(*draw.arguments)), first_tensor(module(*draw.arguments[:2]))
    shaped(output, expected_shape(draw))
    shaped(plain, expected_shape(draw))
    require(bool(kept.all()) or not torch.equal(output[kept], plain[kept]), tr("the mask changes nothing"))


hides_padding = model.takes_masks_of_every_shape(
    points=4,
    otherwise=require_an_effect,
    given=padded(),
    says="""an attention_mask (1 = kept, 0 = padding) acts, and changes nothing else at the kept positions

    fr: un attention_mask (1 = gardé, 0 = remplissage) agit, et ne change rien d'autre aux positions gardées
    """,
)


@check(points=2, given=padded())
def answers_as_without_padding(candidate: Candidate, draw: Segments) -> None:
    """a padded sequence is answered as the same sequence without its padding

    fr: une séquence avec remplissage donne la même sortie que sans son remplissage
    """
    words, types, mask = draw.input_ids, draw.token_type_ids, draw.attention_mask
    assert mask is not None
    module = candidate.with_random_weights(draw.seed, **draw.config)
    output = first_tensor(module(words, types, mask))
    shaped(output, expected_shape(draw))
    for number, kept in enumerate(mask.sum(1).tolist()):
        if kept == 1:  # one position is for another check, and so is one sequence
            continue
        twice = [None if a is None else a[[number, number], :kept] for a in (words, types)]
        value_name = tr("the kept positions of sequence {number}", number=number)
        alike(output[[number, number], :kept], first_tensor(module(*twice)), value_name)
    plain, ones = first_tensor(module(words, types)), torch.ones_like(mask)
    alike(first_tensor(module(words, types, ones)), plain, tr("the output under a mask of ones"))


@check(points=1, given=bert(segments=True))
def treats_sequences_apart(candidate: Candidate, draw: Segments) -> None:
    """each sequence of a batch is answered as if it were alone, and every position sees all of its own

    fr: chaque séquence d'un lot est traitée comme si elle était seule, et chaque position voit toute la
    sienne
    """
    module, words = candidate.with_random_weights(draw.seed, **draw.config), draw.config["vocab_size"]
    output = properties.treats_sequences_apart(module, draw.arguments)
    shaped(output, expected_shape(draw))
    changed = draw.input_ids.clone()
    changed[:, -1] = changed[:, -1] % (words - 1) + 1
    if words > 2:  # otherwise there is only one word
        first = first_tensor(module(changed, *draw.arguments[1:]))[:, 0]
        message = tr("the first output does not depend on the last word: BERT reads in both directions")
        require(not torch.equal(first, output[:, 0]), message)


answers_the_smallest_sizes = model.answers_the_smallest_sizes(
    "length", "full", "num_heads", "type_vocab_size", points=1
)
teaches_every_parameter = model.teaches_every_parameter(
    points=2,
    given=either(),
    says="""gradients reach every parameter; where the output is right, they are too

    fr: les gradients atteignent chaque paramètre ; là où la sortie est juste, ils le sont aussi
    """,
)
leaves_its_arguments_alone = model.leaves_its_arguments_alone(points=1, given=either())
