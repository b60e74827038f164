"""BertEmbeddings(vocab_size, hidden_size, max_position_embeddings, type_vocab_size); ids -> (B, S, E)."""

from dataclasses import replace
from functools import partial

import torch

from graders.check_api import properties, variation
from graders.check_api.check import Candidate, alike, check, require, shaped, tensor
from graders.check_api.options import Options
from graders.check_api.properties import first_tensor
from graders.check_api.standard_checks.module_checks import ModuleChecks
from graders.check_api.strategies.extremes import extremes
from graders.check_api.strategies.fed import Row, fixed_ids
from graders.check_api.strategies.module_inputs import Segments, segmented
from graders.check_api.strategies.tensors import ids, sizes
from graders.check_api.usual_sizes import (
    model_width,
    number_of_parts,
    number_of_positions,
    usual_number,
)
from graders.language import tr

SIZES = {"vocab_size": 17, "hidden_size": 12, "max_position_embeddings": 9, "type_vocab_size": 2}


def diagnostic_draws(seed: int) -> list[Segments]:
    """Draws that tell the known mistakes apart; three of them have segments."""
    first, second, third, *others, last = fixed_ids(
        Segments,
        SIZES,
        *(Row(2, 5), Row(2, 5), Row(2, 5), Row(3, 9), Row(2, 2)),
        Row(2, 4, {"hidden_size": 7, "type_vocab_size": 1}),
        Row(2, 6, {"type_vocab_size": 3}),
    )(seed)
    types = ids(2, 5, vocabulary=2, seed=seed + 1)
    types[:, :2] = torch.tensor([0, 1])  # both segments are there, whatever the seed
    second, third = replace(second, token_type_ids=types), replace(third, token_type_ids=types.flip(0))
    last = replace(last, token_type_ids=ids(2, 6, vocabulary=3, seed=seed + 2))
    return [first, second, third, *others, last]


def expected_shape(draw: Segments) -> tuple[int, ...]:
    """(B, S, E)."""
    return *draw.input_ids.shape, draw.config["hidden_size"]


options = Options(
    sizes=(
        model_width("hidden_size", "has_three_tables_and_a_norm"),
        number_of_parts("vocab_size", "has_three_tables_and_a_norm", "input_ids"),
        number_of_positions("max_position_embeddings", "has_three_tables_and_a_norm"),
        usual_number("type_vocab_size", 2, "has_three_tables_and_a_norm", ids="token_type_ids"),
    ),
    diagnostic_draws=diagnostic_draws,
)
embeddings = ModuleChecks(segmented, options, shape=expected_shape)


@check(points=1, given=segmented(), shape_only=True)
def keeps_the_shape(candidate: Candidate, draw: Segments) -> None:
    """ids (B, S) become one tensor (B, S, E), for every S up to max_position_embeddings

    fr: les identifiants (B, S) donnent un tenseur (B, S, E), pour tout S jusqu'à max_position_embeddings
    """
    module, longest = candidate.construct(**draw.config), draw.config["max_position_embeddings"]
    shaped(tensor(module(*draw.arguments)), expected_shape(draw))
    whole = tensor(module(torch.ones(2, longest, dtype=torch.int64)))
    shaped(whole, (2, longest, draw.config["hidden_size"]), tr("the output of the longest input"))


has_three_tables_and_a_norm = embeddings.has_parameters(
    lambda config: (
        (config["vocab_size"] + config["max_position_embeddings"] + config["type_vocab_size"] + 2)
        * config["hidden_size"]
    ),
    points=1,
    says="""its parameters are three tables (of words, positions and segments) and one norm

    fr: ses paramètres sont trois tables (des mots, des positions et des segments) et une norme
    """,
)
computes_what_the_reference_computes = embeddings.computes_what_the_reference_computes(
    points=8,
    says="""under the same weights, the output is the reference's: the norm of the sum of three vectors

    fr: avec les mêmes poids, la sortie est celle de la référence : la norme de la somme de trois vecteurs
    """,
)
answers_long_sequences = embeddings.answers_long_sequences(
    points=1,
    extremes=extremes(partial(fixed_ids, Segments, SIZES), "hidden_size", SIZES),
    otherwise=variation.answers_its_start_alike,
)
computes_in_double_precision = embeddings.computes_in_double_precision(points=1)


@check(points=2, given=segmented(least=3))
def tells_positions_apart(candidate: Candidate, draw: Segments) -> None:
    """one word at several places gives several vectors, and what comes after a place changes nothing there

    fr: un même mot à plusieurs places donne plusieurs vecteurs, et ce qui suit une place n'y change rien
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    word = draw.input_ids[:, :1].expand_as(draw.input_ids).contiguous()
    output = first_tensor(module(word))
    shaped(output, expected_shape(draw))
    for number in range(1, word.shape[1]):
        message = tr(
            "the same word gives the same vector at position {number} as at position 0", number=number
        )
        require(not torch.equal(output[:, number], output[:, 0]), message)
    alike(first_tensor(module(word[:, :-1])), output[:, :-1], tr("the output without the last position"))


@check(points=1, given=segmented(segments=False))
def belongs_to_segment_zero_by_default(candidate: Candidate, draw: Segments) -> None:
    """without token_type_ids, all words belong to segment 0

    fr: sans token_type_ids, tous les mots appartiennent au segment 0
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    output = first_tensor(module(draw.input_ids))
    shaped(output, expected_shape(draw))
    alike(
        first_tensor(module(draw.input_ids, torch.zeros_like(draw.input_ids))),
        output,
        tr("the output for segment 0"),
    )


@check(points=1, given=segmented(segments=True))
def tells_segments_apart(candidate: Candidate, draw: Segments) -> None:
    """a word in another segment gives another vector, and the other words keep theirs

    fr: un mot d'un autre segment donne un autre vecteur, et les autres mots gardent le leur
    """
    assert draw.token_type_ids is not None
    module = candidate.with_random_weights(draw.seed, **draw.config)
    output = properties.treats_sequences_apart(module, draw.arguments)
    shaped(output, expected_shape(draw))
    other = draw.token_type_ids.clone()
    other[:, -1] = (other[:, -1] + 1) % draw.config["type_vocab_size"]
    after = first_tensor(module(draw.input_ids, other))
    alike(after[:, :-1], output[:, :-1], tr("the output before the change"))
    require(not torch.equal(after[:, -1], output[:, -1]), tr("another segment gives the same vector"))


answers_the_smallest_sizes = embeddings.answers_the_smallest_sizes("length", "type_vocab_size", points=1)
teaches_every_table = embeddings.teaches_every_parameter(
    points=2,
    says="""gradients reach all three tables and the norm; where the output is right, they are too

    fr: les gradients atteignent les trois tables et la norme ; là où la sortie est juste, ils le sont aussi
    """,
)
drops_in_training_only = embeddings.drops_in_training_only(
    points=2, given=segmented(segments=False, least=8, most=8, hidden_size=sizes(32, 32))
)
leaves_its_arguments_alone = embeddings.leaves_its_arguments_alone(points=1, given=segmented())
