"""SimpleGPTModel(vocab_size=30522, ...); forward(input_ids, attention_mask=None) -> logits (B, S, V)."""

from dataclasses import dataclass
from typing import Any

import torch
from hypothesis import strategies as st

from graders.check_api import mask_properties, properties, variation
from graders.check_api.check import Candidate, alike, check, shaped
from graders.check_api.drawn_attention import CAUSAL, DrawnAttention, sizes_of_model
from graders.check_api.head_layouts import (
    Answers,
    answers,
    answers_with_gradients,
    at_layout,
    count_parameters,
    layout_of,
)
from graders.check_api.mask_sense import MaskArgument, Sense
from graders.check_api.options import Options
from graders.check_api.properties import first_tensor
from graders.check_api.reference_gradients import agree_gradients
from graders.check_api.strategies.attention_masks import allowed
from graders.check_api.strategies.lengths import LONG, of_length
from graders.check_api.strategies.module_inputs import Tokens, worded
from graders.check_api.strategies.tensors import ids, seeds, sizes
from graders.check_api.usual_sizes import inner_width
from graders.check_api.variation import Varied, vary
from graders.language import tr, translatable

DEFAULTS = {
    "vocab_size": 30522,
    "hidden_size": 128,
    "num_heads": 4,
    "num_layers": 4,
    "intermediate_size": 256,
    "max_position_embeddings": 512,
}
PAIR = translatable("remark: more than the logits comes back; the first of it was judged")


def models(least: int = 1, layers: int = 1, **options: Any) -> st.SearchStrategy[Tokens]:
    """Models of width 4 and more; `layers` is the minimum number of blocks."""
    inner, depth = sizes(1, 8), sizes(layers, 3)
    return worded(least=least, heads=True, num_layers=depth, intermediate_size=inner, **options)


@check(points=1, given=st.one_of(models(), models(masked=True)), shape_only=True)
def answers_with_logits(candidate: Candidate, draw: Tokens) -> str | None:
    """ids (B, S) become logits (B, S, V): a score for each word at each position

    fr: les identifiants (B, S) deviennent des logits (B, S, V) : un score par mot à chaque position
    """
    answer = candidate.construct(**draw.config)(*draw.arguments)
    shaped(first_tensor(answer), (*draw.input_ids.shape, draw.config["vocab_size"]), tr("the logits"))
    return tr(PAIR) if isinstance(answer, tuple | list) else None


@check(points=1, given=models(), shape_only=True)
def has_the_parameters_of_its_parts(candidate: Candidate, draw: Tokens) -> str | None:
    """its parameters are those of the embeddings, the blocks and lm_head

    fr: ses paramètres sont ceux des embeddings, des blocs et de lm_head
    """
    layout = layout_of(candidate, draw.config)
    parameters = candidate.construct(**draw.config).parameters()
    properties.has_parameters(parameters, count_parameters(draw.config, layout))
    return layout.remark and tr(layout.remark)


@dataclass(frozen=True)
class SomeSizes:
    """Some sizes of a model; the others are left to their defaults."""

    config: dict[str, int]


SMALL = {"hidden_size": 8, "num_heads": 2, "num_layers": 1, "intermediate_size": 6}
PARTIAL = (SomeSizes({**SMALL, "max_position_embeddings": 5}), SomeSizes({"vocab_size": 11}))


@check(points=1, given=st.sampled_from(PARTIAL), draws=4, shape_only=True)
def has_the_sizes_of_the_course_by_default(candidate: Candidate, draw: SomeSizes) -> None:
    """sizes that are left out are those of the course: 30522 words, 4 blocks of width 128 and so on

    fr: les tailles omises sont celles du cours : 30522 mots, 4 blocs de largeur 128, etc.
    """
    config = {**DEFAULTS, **draw.config}
    layout = layout_of(candidate, config, **draw.config)
    expected = count_parameters(config, layout, matrices=True)
    properties.has_matrices(candidate.construct(**draw.config).parameters(), expected)


@check(points=10, given=models(), answer=answers, draws=8, core=True)
def computes_what_the_reference_computes(candidate: Candidate, draw: Tokens, answer: Answers) -> None:
    """under the same weights, the logits are the reference's: embeddings, all blocks in turn, lm_head

    fr: avec les mêmes poids, les logits sont ceux de la référence : embeddings, tous les blocs tour à tour,
    lm_head
    """
    expected = answer.to(candidate)
    logits = first_tensor(candidate.with_reference_weights(expected)(*draw.arguments))
    expected.agree(logits, value_name=tr("the logits"))


@check(
    points=1,
    given=models(least=33, most=128),
    answer=vary(variation.shorten, answers),
    draws=3,
    kept_because=LONG,
    at_length=of_length(models),
)
def answers_long_sequences(candidate: Candidate, draw: Tokens, answer: Varied) -> None:
    """33 to 128 positions are answered as a few are

    fr: 33 à 128 positions reçoivent la même réponse que quelques-unes
    """
    own, value_name = variation.answers_its_start_alike, tr("the logits")
    variation.agree_in_variation(candidate, at_layout(candidate, answer), own, value_name=value_name)


@check(
    points=1,
    given=models(dtype=torch.float64),
    answer=vary(variation.cast_to_single, answers),
    draws=5,
)
def computes_in_double_precision(candidate: Candidate, draw: Tokens, answer: Varied) -> str | None:
    """in float64 the answer is of float64, and the same as in float32

    fr: en float64, la réponse est en float64, et la même qu'en float32
    """
    return variation.agree_in_double(candidate, at_layout(candidate, answer), value_name=tr("the logits"))


@check(points=4, given=models(least=2, layers=2), draws=8)
def hides_what_the_mask_hides(candidate: Candidate, draw: Tokens) -> None:
    """what attention_mask hides from all other positions changes none of their logits, in no block

    fr: ce qu'attention_mask cache à toutes les autres positions ne change aucun de leurs logits, dans aucun
    bloc
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    position = draw.seed % (draw.input_ids.shape[1] - 1)
    changed = draw.input_ids.clone()
    changed[:, position] = (changed[:, position] + 1) % draw.config["vocab_size"]
    mask_properties.hides_what_is_masked(module, draw.input_ids, changed, position)


@check(points=2, given=models(least=2), draws=8)
def does_not_look_ahead(candidate: Candidate, draw: Tokens) -> None:
    """later words change no earlier logits: the first words alone give the same logits as in the whole

    fr: les mots ultérieurs ne changent aucun logit antérieur : un début seul reçoit la même réponse que dans
    le tout
    """
    module, words = candidate.with_random_weights(draw.seed, **draw.config), draw.input_ids
    changed = words.clone()
    changed[:, -1] = (changed[:, -1] + 1) % draw.config["vocab_size"]
    mask_properties.does_not_look_ahead(module, [words], changed)
    mask_properties.knows_no_future(module, words)


@check(points=1, given=models(), draws=8)
def treats_sequences_apart(candidate: Candidate, draw: Tokens) -> None:
    """each sequence of a batch is answered as if it were alone

    fr: chaque séquence d'un lot reçoit la même réponse que seule
    """
    module, words = candidate.with_random_weights(draw.seed, **draw.config), draw.input_ids
    logits = properties.treats_sequences_apart(module, [words])
    shaped(logits, (*words.shape, draw.config["vocab_size"]), tr("the logits"))
    flipped = first_tensor(module(words.flip(0)))
    alike(flipped, logits.flip(0), tr("the logits for another order of the batch"))


@check(points=2, given=models(), answer=answers_with_gradients, draws=8)
def teaches_every_parameter(candidate: Candidate, draw: Tokens, answer: Answers) -> None:
    """gradients reach every parameter; where the output is right, they are too

    fr: les gradients atteignent chaque paramètre ; là où la sortie est juste, ils le sont aussi
    """
    expected = answer.to(candidate)
    agree_gradients(expected, candidate.with_reference_weights(expected))


WIDE = {**SMALL, "vocab_size": 11, "hidden_size": 32, "max_position_embeddings": 8}


@check(points=1, given=seeds().map(lambda s: Tokens(WIDE, ids(4, 8, vocabulary=11, seed=s), seed=s)), draws=6)
def drops_in_training_only(candidate: Candidate, draw: Tokens) -> None:
    """dropout acts in training and at no other time

    fr: le dropout agit à l'entraînement, et à aucun autre moment
    """
    properties.drops_in_training(candidate.construct(**draw.config), [draw.input_ids])


@check(points=1, given=st.one_of(models(), models(masked=True)), on_its_word=True)
def leaves_its_arguments_alone(candidate: Candidate, draw: Tokens) -> str | None:
    """input_ids and attention_mask keep their values, and the second call answers as the first

    fr: input_ids et attention_mask gardent leurs valeurs, et le second appel répond comme le premier
    """
    module, words = candidate.with_random_weights(draw.seed, **draw.config), draw.input_ids
    first_tensor(module(words))
    return properties.leaves_alone(module, draw.arguments, "input_ids", "attention_mask")


def diagnostic_draws(seed: int) -> list[Tokens]:
    """Draws that tell the known mistakes apart; the first three share their configuration."""
    usual = {
        "vocab_size": 17,
        "hidden_size": 12,
        "num_heads": 3,
        "num_layers": 2,
        "intermediate_size": 20,
        "max_position_embeddings": 9,
    }
    draws = [
        (usual, 2, 5, False),
        (usual, 2, 5, True),
        (usual, 2, 5, True),
        ({**usual, "num_layers": 3, "num_heads": 2}, 1, 9, True),
        ({**usual, "num_layers": 1, "vocab_size": 7, "max_position_embeddings": 6}, 3, 4, False),
        ({"vocab_size": 5, "hidden_size": 8, "num_layers": 1, "max_position_embeddings": 7}, 1, 3, False),
        ({**usual, "hidden_size": 10}, 1, 3, False),
    ]
    return [
        Tokens(
            config,
            1 + ids(batch, length, vocabulary=config["vocab_size"] - 1, seed=seed + n),
            allowed(batch, length, seed + n) if masked else None,
            dtype=torch.float64,
            seed=seed + n,
        )
        for n, (config, batch, length, masked) in enumerate(draws)
    ]


options = Options(
    mask=MaskArgument(1, Sense.ONE_ALLOWS, "hides_what_the_mask_hides", shapes="hides_what_the_mask_hides"),
    sizes=(inner_width("intermediate_size", "hidden_size", "has_the_parameters_of_its_parts", 128),),
    drawn=DrawnAttention(lambda ids, _: Tokens(sizes_of_model(ids), ids), CAUSAL, is_model=True),
    diagnostic_draws=diagnostic_draws,
)
