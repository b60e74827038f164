"""BertEmbeddings(vocab_size, hidden_size, max_position_embeddings, type_vocab_size); ids -> (B, S, E)."""

import torch
from hypothesis import strategies as st

from graders.check_api import properties, variation
from graders.check_api.check import Candidate, alike, check, require, shaped, tensor
from graders.check_api.options import Options
from graders.check_api.reference_answer import (
    ReferenceAnswer,
    reference_answer,
    reference_answer_with_gradients,
)
from graders.check_api.reference_gradients import agree_gradients
from graders.check_api.strategies.lengths import LONG, of_length
from graders.check_api.strategies.module_inputs import Segments, segmented
from graders.check_api.strategies.tensors import ids, sizes
from graders.check_api.variation import Varied, vary
from graders.language import tr


def expected_shape(draw: Segments) -> tuple[int, int, int]:
    """(B, S, E)."""
    batch, length = draw.input_ids.shape
    return batch, length, draw.config["hidden_size"]


@check(points=1, given=segmented(), shape_only=True)
def keeps_the_shape(candidate: Candidate, draw: Segments) -> None:
    """ids (B, S) become one tensor (B, S, E), for every S up to max_position_embeddings

    fr: les identifiants (B, S) donnent un tenseur (B, S, E), pour tout S jusqu'à max_position_embeddings
    """
    longest = draw.config["max_position_embeddings"]
    module = candidate.construct(**draw.config)
    shaped(tensor(module(*draw.arguments)), expected_shape(draw))
    whole = torch.ones(1, longest, dtype=torch.int64)
    shaped(
        tensor(module(whole)), (1, longest, draw.config["hidden_size"]), tr("the output of the longest input")
    )


@check(points=1, given=segmented(), shape_only=True)
def has_three_tables_and_a_norm(candidate: Candidate, draw: Segments) -> None:
    """its parameters are three tables (of words, positions and segments) and one norm

    fr: ses paramètres sont trois tables (des mots, des positions et des segments) et une norme
    """
    sizes = draw.config
    rows = sizes["vocab_size"] + sizes["max_position_embeddings"] + sizes["type_vocab_size"]
    parameters = candidate.construct(**sizes).parameters()
    properties.has_parameters(parameters, (rows + 2) * sizes["hidden_size"])


@check(points=8, given=segmented(), answer=reference_answer, core=True)
def computes_what_the_reference_computes(
    candidate: Candidate, draw: Segments, answer: ReferenceAnswer
) -> None:
    """under the same weights, the output is the reference's: the norm of the sum of three vectors

    fr: avec les mêmes poids, la sortie est celle de la référence : la norme de la somme de trois vecteurs
    """
    answer.agree(candidate.with_reference_weights(answer)(*draw.arguments))


@check(
    points=1,
    given=segmented(least=33, most=128),
    answer=vary(variation.shorten),
    draws=3,
    kept_because=LONG,
    at_length=of_length(segmented),
)
def answers_long_sequences(candidate: Candidate, draw: Segments, answer: Varied) -> None:
    """33 to 128 positions are answered as a few are

    fr: 33 à 128 positions reçoivent la même réponse que quelques-unes
    """
    variation.agree_in_variation(candidate, answer, variation.answers_its_start_alike)


@check(points=1, given=segmented(dtype=torch.float64), answer=vary(variation.cast_to_single), draws=10)
def computes_in_double_precision(
    candidate: Candidate, draw: Segments, answer: variation.Varied
) -> str | None:
    """in float64 the answer is of float64, and the same as in float32

    fr: en float64, la réponse est en float64, et la même qu'en float32
    """
    return variation.agree_in_double(candidate, answer)


@check(points=2, given=segmented(least=2))
def tells_positions_apart(candidate: Candidate, draw: Segments) -> None:
    """one word at several places gives several vectors, and what comes after a place changes nothing there

    fr: un même mot à plusieurs places donne plusieurs vecteurs, et ce qui suit une place n'y change rien
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    word = draw.input_ids[:, :1].expand_as(draw.input_ids).contiguous()
    output = properties.treats_sequences_apart(module, [word])
    shaped(output, expected_shape(draw))
    for number in range(1, word.shape[1]):
        require(
            not torch.equal(output[:, number], output[:, 0]),
            tr("the same word gives the same vector at position {number} as at position 0", number=number),
        )
    alike(module(word[:, :-1]), output[:, :-1], tr("the output without the last position"))


@check(points=1, given=segmented(segments=False))
def belongs_to_segment_zero_by_default(candidate: Candidate, draw: Segments) -> None:
    """without token_type_ids, all words belong to segment 0

    fr: sans token_type_ids, tous les mots appartiennent au segment 0
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    output = tensor(module(draw.input_ids))
    shaped(output, expected_shape(draw))
    alike(module(draw.input_ids, torch.zeros_like(draw.input_ids)), output, tr("the output for segment 0"))


@check(points=1, given=segmented(segments=True).filter(lambda draw: draw.config["type_vocab_size"] > 1))
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
    after = tensor(module(draw.input_ids, other))
    alike(after[:, :-1], output[:, :-1], tr("the output before the change"))
    require(not torch.equal(after[:, -1], output[:, -1]), tr("another segment gives the same vector"))


@check(points=2, given=segmented(), answer=reference_answer_with_gradients)
def teaches_every_table(candidate: Candidate, draw: Segments, answer: ReferenceAnswer) -> None:
    """gradients reach all three tables and the norm; where the output is right, they are too

    fr: les gradients atteignent les trois tables et la norme ; là où la sortie est juste, ils le sont aussi
    """
    agree_gradients(answer, candidate.with_reference_weights(answer))


@st.composite
def roomy(draw: st.DrawFn) -> Segments:
    """Sequences and a width so large that dropout is certain to change the output."""
    config = {
        "vocab_size": draw(sizes(2, 8)),
        "hidden_size": draw(st.sampled_from([16, 32])),
        "max_position_embeddings": 8,
        "type_vocab_size": draw(sizes(1, 3)),
    }
    return Segments(config, ids(4, 8, vocabulary=config["vocab_size"], seed=draw(sizes(0, 99))))


@check(points=2, given=roomy(), draws=6)
def drops_in_training_only(candidate: Candidate, draw: Segments) -> None:
    """dropout acts in training and at no other time

    fr: le dropout agit à l'entraînement et à aucun autre moment
    """
    properties.drops_in_training(candidate.construct(**draw.config), draw.arguments)


@check(points=1, given=segmented(), on_its_word=True)
def leaves_its_arguments_alone(candidate: Candidate, draw: Segments) -> str | None:
    """the ids keep their values, and the second call answers as the first

    fr: les identifiants gardent leurs valeurs, et le deuxième appel répond comme le premier
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    output = tensor(module(*draw.arguments))
    shaped(output, expected_shape(draw))
    return properties.leaves_alone(module, draw.arguments, "input_ids", "token_type_ids")


def diagnostic_draws(seed: int) -> list[Segments]:
    """Draws that tell the known mistakes apart."""
    config = {"vocab_size": 17, "hidden_size": 12, "max_position_embeddings": 9, "type_vocab_size": 2}
    types = ids(2, 5, vocabulary=2, seed=seed + 1)
    types[:, :2] = torch.tensor([0, 1])  # both segments are there, whatever the seed

    def words(batch: int, length: int, offset: int) -> torch.Tensor:
        return 1 + ids(batch, length, vocabulary=16, seed=seed + offset)

    def given(config: dict[str, int], offset: int, *values: torch.Tensor) -> Segments:
        return Segments(config, *values, dtype=torch.float64, seed=seed + offset)

    return [
        given(config, 2, words(2, 5, 3)),
        given(config, 4, words(2, 5, 5), types),
        given(config, 6, words(2, 5, 7), types.flip(0)),
        given(config, 8, words(3, 9, 9)),
        given(config, 10, words(1, 1, 11)),
        given({**config, "hidden_size": 7, "type_vocab_size": 1}, 12, words(1, 4, 13)),
        given({**config, "type_vocab_size": 3}, 14, words(2, 6, 15), ids(2, 6, vocabulary=3, seed=seed + 16)),
    ]


options = Options(diagnostic_draws=diagnostic_draws)
