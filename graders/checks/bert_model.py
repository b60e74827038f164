"""SimpleBertModel(...); forward(input_ids, token_type_ids=None, attention_mask=None) -> (B, S, E)."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import torch
from hypothesis import strategies as st

from graders.check_api import properties, variation
from graders.check_api.check import Candidate, Module, alike, check, require, shaped, tensor
from graders.check_api.drawn_attention import SEES_ALL, DrawnAttention, sizes_of_model
from graders.check_api.mask_sense import MaskArgument, Sense
from graders.check_api.options import Options
from graders.check_api.reference_answer import (
    ReferenceAnswer,
    reference_answer,
    reference_answer_with_gradients,
)
from graders.check_api.reference_gradients import agree_gradients
from graders.check_api.strategies.attention_masks import padding
from graders.check_api.strategies.lengths import LONG, of_length
from graders.check_api.strategies.module_inputs import Segments, segmented
from graders.check_api.strategies.tensors import ids, sizes
from graders.check_api.usual_sizes import inner_width, usual_number
from graders.check_api.variants import GELUS
from graders.check_api.variation import Varied, vary
from graders.language import tr

ACTIVATIONS = GELUS
ANSWER = partial(reference_answer, activations=ACTIVATIONS)
GRADIENTS = partial(reference_answer_with_gradients, activations=ACTIVATIONS)
DEFAULTS = {
    "vocab_size": 30522,
    "hidden_size": 128,
    "num_heads": 4,
    "num_layers": 4,
    "intermediate_size": 256,
    "max_position_embeddings": 512,
    "type_vocab_size": 2,
}


def bert(fewest: int = 1, **options: Any) -> st.SearchStrategy[Segments]:
    """Models of width 4 and more and up to two layers."""
    return segmented(heads=True, num_layers=sizes(fewest, 2), intermediate_size=sizes(1, 8), **options)


def either(**options: Any) -> st.SearchStrategy[Segments]:
    """Models with and without a mask."""
    return bert(**options) | bert(padded=True, least=2, **options)


def expected_shape(draw: Segments) -> tuple[int, int, int]:
    """(B, S, E)."""
    batch, length = draw.input_ids.shape
    return batch, length, draw.config["hidden_size"]


@check(points=1, given=either(), draws=8, shape_only=True)
def keeps_the_shape(candidate: Candidate, draw: Segments) -> None:
    """ids (B, S) become one tensor (B, S, E)

    fr: les identifiants (B, S) donnent un seul tenseur (B, S, E)
    """
    shaped(tensor(candidate.construct(**draw.config)(*draw.arguments)), expected_shape(draw))


@dataclass(frozen=True)
class SomeSizes:
    """All sizes of a model but one, which is left to its default."""

    config: dict[str, int]


def _without(left_out: str) -> dict[str, int]:
    """Small sizes without one of them. The width suits any number of heads up to four, and eight too."""
    small = {
        "vocab_size": 11,
        "hidden_size": 16,
        "num_heads": 2,
        "num_layers": 1,
        "intermediate_size": 5,
        "max_position_embeddings": 7,
        "type_vocab_size": 3,
    }
    return {name: size for name, size in small.items() if name != left_out}


@check(
    points=1, given=st.sampled_from(sorted(DEFAULTS)).map(_without).map(SomeSizes), draws=8, shape_only=True
)
def has_the_parameters_of_its_parts(candidate: Candidate, draw: SomeSizes) -> None:
    """its parameters are those of embeddings and encoder, also where a size is left to its default

    fr: ses paramètres sont ceux des embeddings et de l'encodeur, même avec une taille par défaut
    """
    parameters = candidate.construct(**draw.config).parameters()
    properties.has_parameters(parameters, _count({**DEFAULTS, **draw.config}))


def _with_defaults(draw: Segments) -> Segments:
    """The draw with all sizes given, those of the course where one is left out."""
    return replace(draw, config={**DEFAULTS, **draw.config})


@check(
    points=1,
    given=st.sampled_from(["num_heads", "num_layers"]).map(lambda name: _small(name)),
    answer=vary(_with_defaults, ANSWER),
)
def has_the_default_sizes(candidate: Candidate, draw: Segments, answer: Varied) -> None:
    """where num_heads or num_layers is left to its default, the output is that with 4 of them

    fr: si num_heads ou num_layers garde sa valeur par défaut, la sortie est celle que donne la valeur 4
    """

    def own(module: Module, draw: Segments) -> None:
        whole = candidate.with_random_weights(draw.seed, **_with_defaults(draw).config)
        given, output = (properties.first_tensor(model(*draw.arguments)) for model in (whole, module))
        alike(given, output.detach(), tr("the output where all sizes are given"))

    variation.agree_in_variation(candidate, answer, own)


@check(points=8, given=bert(), answer=ANSWER, core=True)
def computes_what_the_reference_computes(
    candidate: Candidate, draw: Segments, answer: ReferenceAnswer
) -> None:
    """under the same weights, the output is the reference's: embeddings, then the encoder

    fr: avec les mêmes poids, la sortie est celle de la référence : les embeddings, puis l'encodeur
    """
    answer.agree(properties.first_tensor(candidate.with_reference_weights(answer)(*draw.arguments)))


@check(
    points=1,
    given=bert(least=33, most=128),
    answer=vary(variation.shorten, ANSWER),
    draws=3,
    kept_because=LONG,
    at_length=of_length(bert),
)
def answers_long_sequences(candidate: Candidate, draw: Segments, answer: Varied) -> None:
    """33 to 128 positions are answered as a few are

    fr: 33 à 128 positions reçoivent la même réponse que quelques-unes
    """
    variation.agree_in_variation(candidate, answer)


@check(points=1, given=either(dtype=torch.float64), answer=vary(variation.cast_to_single, ANSWER), draws=5)
def computes_in_double_precision(candidate: Candidate, draw: Segments, answer: Varied) -> str | None:
    """in float64 the answer is of float64, and the same as in float32

    fr: en float64, la réponse est en float64, et la même qu'en float32
    """
    return variation.agree_in_double(candidate, answer)


@check(points=4, given=bert(padded=True, least=2), answer=vary(variation.drop_mask, ANSWER))
def hides_padding(candidate: Candidate, draw: Segments, answer: Varied) -> None:
    """an attention_mask (1 = kept, 0 = padding) acts, and changes nothing else at the kept positions

    fr: un attention_mask (1 = gardé, 0 = remplissage) agit, et ne change rien d'autre aux positions gardées
    """
    own, value_name = _acts_where_there_is_padding, tr("the output under the mask")
    variation.agree_in_variation(candidate, answer, own, value_name=value_name)


def _acts_where_there_is_padding(module: Module, draw: Segments) -> None:
    assert draw.attention_mask is not None
    kept = draw.attention_mask.bool()
    given = (draw.arguments, [draw.input_ids, draw.token_type_ids])
    output, plain = (properties.first_tensor(module(*arguments)) for arguments in given)
    for answered in (output, plain):
        shaped(answered, expected_shape(draw))
    require(bool(kept.all()) or not torch.equal(output[kept], plain[kept]), tr("the mask changes nothing"))


@check(points=2, given=bert(padded=True, least=2), draws=8)
def answers_as_without_padding(candidate: Candidate, draw: Segments) -> None:
    """a padded sequence is answered as the same sequence without its padding

    fr: une séquence avec remplissage donne la même sortie que sans son remplissage
    """
    assert draw.attention_mask is not None
    module = candidate.with_random_weights(draw.seed, **draw.config)
    output = properties.first_tensor(module(*draw.arguments))
    shaped(output, expected_shape(draw))
    for number, kept in enumerate(draw.attention_mask.sum(1).tolist()):
        types = draw.token_type_ids
        alone = [None if a is None else a[number : number + 1, :kept] for a in (draw.input_ids, types)]
        value_name = tr("the kept positions of sequence {number}", number=number)
        alike(output[number : number + 1, :kept], properties.first_tensor(module(*alone)), value_name)
    ones = torch.ones_like(draw.attention_mask)
    plain = properties.first_tensor(module(draw.input_ids, draw.token_type_ids))
    alike(
        properties.first_tensor(module(draw.input_ids, draw.token_type_ids, ones)),
        plain,
        tr("the output under a mask of ones"),
    )


@check(points=1, given=bert(segments=True, least=2), draws=8)
def treats_sequences_apart(candidate: Candidate, draw: Segments) -> None:
    """each sequence of a batch is answered as if it were alone, and every position sees all of its own

    fr: chaque séquence d'un lot est traitée comme si elle était seule, et chaque position voit toute la
    sienne
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    output = properties.treats_sequences_apart(module, draw.arguments)
    shaped(output, expected_shape(draw))
    changed = draw.input_ids.clone()
    changed[:, -1] = changed[:, -1] % (draw.config["vocab_size"] - 1) + 1
    if draw.config["vocab_size"] > 2:  # otherwise there is only one word
        first = properties.first_tensor(module(changed, *draw.arguments[1:]))[:, 0]
        require(
            not torch.equal(first, output[:, 0]),
            tr("the first output does not depend on the last word: BERT reads in both directions"),
        )


@check(points=2, given=either(), answer=GRADIENTS, draws=8)
def teaches_every_parameter(candidate: Candidate, draw: Segments, answer: ReferenceAnswer) -> None:
    """gradients reach every parameter; where the output is right, they are too

    fr: les gradients atteignent chaque paramètre ; là où la sortie est juste, ils le sont aussi
    """
    agree_gradients(answer, candidate.with_reference_weights(answer))


@check(points=1, given=either(), draws=8, on_its_word=True)
def leaves_its_arguments_alone(candidate: Candidate, draw: Segments) -> str | None:
    """the arguments keep their values, and the second call answers as the first

    fr: les arguments gardent leurs valeurs, et le deuxième appel répond comme le premier
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    properties.first_tensor(module(*draw.arguments))
    return properties.leaves_alone(module, draw.arguments, "input_ids", "token_type_ids", "attention_mask")


def diagnostic_draws(seed: int) -> list[Segments]:
    """Draws that tell the known mistakes apart."""
    config = {
        "vocab_size": 17,
        "hidden_size": 12,
        "num_heads": 3,
        "num_layers": 2,
        "intermediate_size": 20,
        "max_position_embeddings": 9,
        "type_vocab_size": 2,
    }
    types = ids(2, 5, vocabulary=2, seed=seed + 1)
    types[:, :2] = torch.tensor([0, 1])  # both segments are there, whatever the seed
    mask = padding(2, 5, seed)
    mask[0, -2:], mask[1, :] = 0, 1  # one sequence with padding and one without, whatever the seed

    def given(config: dict[str, int], offset: int, batch: int, length: int, *values: Any) -> Segments:
        words = 1 + ids(batch, length, vocabulary=config["vocab_size"] - 1, seed=seed + offset)
        return Segments(config, words, *values, dtype=torch.float64, seed=seed + offset)

    wide = {**config, "hidden_size": 24}
    return [
        given(config, 2, 2, 5),
        given(config, 3, 2, 5, types, mask),
        given(config, 4, 2, 5, None, mask.flip(0)),
        given(config, 5, 3, 9),
        given({**config, "num_layers": 1, "num_heads": 2}, 6, 1, 4, types[:1, :4]),
        given({n: v for n, v in wide.items() if n != "num_heads"}, 7, 2, 6),
        given({n: v for n, v in wide.items() if n != "num_layers"}, 8, 1, 6),
        given({n: v for n, v in config.items() if n != "intermediate_size"}, 9, 1, 3),
    ]


def _small(left_out: str) -> Segments:
    return Segments(_without(left_out), ids(2, 5, vocabulary=11, seed=1), seed=2)


def _count(config: dict[str, int]) -> int:
    width, inner = config["hidden_size"], config["intermediate_size"]
    rows = config["vocab_size"] + config["max_position_embeddings"] + config["type_vocab_size"] + 2
    layer = 4 * (width * width + width) + 2 * width * inner + inner + width + 4 * width
    return rows * width + config["num_layers"] * layer


options = Options(
    activations=ACTIVATIONS,
    mask=MaskArgument(2, Sense.ONE_ALLOWS, check="answers_as_without_padding"),
    sizes=(
        inner_width("intermediate_size", "hidden_size", "has_the_parameters_of_its_parts", 128),
        usual_number("type_vocab_size", 2, "has_the_parameters_of_its_parts", ids="token_type_ids"),
    ),
    drawn=DrawnAttention(
        lambda ids, _: Segments(sizes_of_model(ids, type_vocab_size=2), ids), SEES_ALL, is_model=True
    ),
    diagnostic_draws=diagnostic_draws,
)
