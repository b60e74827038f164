"""GPTEmbeddings(vocab_size, hidden_size, max_position_embeddings=512); forward(input_ids) -> (B, S, E)."""

import torch
from hypothesis import strategies as st

from graders.check_api import properties, variation
from graders.check_api.check import Candidate, alike, check, require, same, shaped, tensor
from graders.check_api.options import Options
from graders.check_api.reference_answer import (
    ReferenceAnswer,
    reference_answer,
    reference_answer_with_gradients,
)
from graders.check_api.reference_gradients import agree_gradients
from graders.check_api.strategies.lengths import LONG, of_length
from graders.check_api.strategies.module_inputs import Tokens, worded
from graders.check_api.strategies.tensors import ids, seeds
from graders.check_api.variation import Varied, vary
from graders.language import tr


def counted(config: dict[str, int]) -> int:
    """The parameters of both tables and of the norm."""
    rows = config["vocab_size"] + config.get("max_position_embeddings", 512) + 2
    return rows * config["hidden_size"]


@check(points=1, given=worded(), shape_only=True)
def keeps_the_shape(candidate: Candidate, draw: Tokens) -> None:
    """ids (B, S) become vectors (B, S, E), in one tensor

    fr: les identifiants (B, S) deviennent des vecteurs (B, S, E), en un seul tenseur
    """
    output = tensor(candidate.construct(**draw.config)(draw.input_ids))
    shaped(output, (*draw.input_ids.shape, draw.config["hidden_size"]))


@check(points=1, given=worded(), shape_only=True)
def has_two_tables_and_a_norm(candidate: Candidate, draw: Tokens) -> None:
    """its parameters are those of the words, the positions and one norm

    fr: ses paramètres sont ceux des mots, des positions et d'une norme
    """
    properties.has_parameters(candidate.construct(**draw.config).parameters(), counted(draw.config))


@check(points=1, given=worded(), draws=5, shape_only=True)
def knows_512_positions_by_default(candidate: Candidate, draw: Tokens) -> None:
    """without max_position_embeddings there are 512 positions

    fr: sans max_position_embeddings, il y a 512 positions
    """
    config = {name: draw.config[name] for name in ("vocab_size", "hidden_size")}
    properties.has_parameters(candidate.construct(**config).parameters(), counted(config))


@check(points=9, given=worded(), answer=reference_answer, core=True)
def computes_what_the_reference_computes(candidate: Candidate, draw: Tokens, answer: ReferenceAnswer) -> None:
    """under the same weights, the output is the reference's: the norm of word plus position

    fr: avec les mêmes poids, la sortie est celle de la référence : la norme de mot plus position
    """
    answer.agree(candidate.with_reference_weights(answer)(*draw.arguments))


@check(
    points=1,
    given=worded(least=33, most=128),
    answer=vary(variation.shorten),
    draws=3,
    kept_because=LONG,
    at_length=of_length(worded),
)
def answers_long_sequences(candidate: Candidate, draw: Tokens, answer: Varied) -> None:
    """33 to 128 positions are answered as a few are

    fr: 33 à 128 positions reçoivent la même réponse que quelques-unes
    """
    variation.agree_in_variation(candidate, answer, variation.answers_its_start_alike)


@check(points=1, given=worded(dtype=torch.float64), answer=vary(variation.cast_to_single), draws=10)
def computes_in_double_precision(candidate: Candidate, draw: Tokens, answer: Varied) -> str | None:
    """in float64 the answer is of float64, and the same as in float32

    fr: en float64, la réponse est en float64, et la même qu'en float32
    """
    return variation.agree_in_double(candidate, answer)


@check(points=2, given=worded(least=2))
def tells_positions_apart(candidate: Candidate, draw: Tokens) -> None:
    """the same word gets another vector at each position

    fr: le même mot reçoit un autre vecteur à chaque position
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    words = draw.input_ids[:, :1].expand_as(draw.input_ids).contiguous()
    output = tensor(module(words))
    shaped(output, (*words.shape, draw.config["hidden_size"]))
    same(module(words), output, tr("the output of the second call"))
    for position in range(1, words.shape[1]):
        gap = (output[:, :position] - output[:, position : position + 1]).abs().amax(-1)
        require(
            bool((gap > 1e-4).all()),
            tr("one word at position {position} and before gets the same vector", position=position),
        )


@check(points=2, given=worded(least=2))
def looks_at_each_word_by_itself(candidate: Candidate, draw: Tokens) -> None:
    """another word at one position changes the vector there and no other

    fr: un autre mot à une position y change le vecteur, et aucun autre
    """
    module, words = candidate.with_random_weights(draw.seed, **draw.config), draw.input_ids
    output = properties.treats_sequences_apart(module, [words])
    shaped(output, (*words.shape, draw.config["hidden_size"]))
    changed = words.clone()
    changed[:, -1] = (words[:, -1] + 1) % draw.config["vocab_size"]
    after = tensor(module(changed))
    shaped(after, tuple(output.shape))
    alike(after[:, :-1], output[:, :-1], tr("the output before the other word"))
    require(not torch.equal(after[:, -1], output[:, -1]), tr("the output at the other word did not change"))
    alike(module(words[:, :1]), output[:, :1], tr("the first position alone"))


@check(points=2, given=worded(), answer=reference_answer_with_gradients)
def teaches_every_parameter(candidate: Candidate, draw: Tokens, answer: ReferenceAnswer) -> None:
    """gradients reach both tables and the norm; where the output is right, they are too

    fr: les gradients atteignent les deux tables et la norme ; là où la sortie est juste, ils le sont aussi
    """
    agree_gradients(answer, candidate.with_reference_weights(answer))


WIDE = {"vocab_size": 11, "hidden_size": 32, "max_position_embeddings": 8}


@check(points=2, given=seeds().map(lambda s: Tokens(WIDE, ids(4, 8, vocabulary=11, seed=s), seed=s)), draws=6)
def drops_in_training_only(candidate: Candidate, draw: Tokens) -> None:
    """dropout acts in training and at no other time

    fr: le dropout agit à l'entraînement, et à aucun autre moment
    """
    properties.drops_in_training(candidate.construct(**draw.config), [draw.input_ids])


@check(points=1, given=st.one_of(worded(), worded(least=2)), on_its_word=True)
def leaves_its_ids_alone(candidate: Candidate, draw: Tokens) -> str | None:
    """input_ids keep their values, and the second call answers as the first

    fr: input_ids garde ses valeurs, et le second appel répond comme le premier
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    tensor(module(draw.input_ids))
    return properties.leaves_alone(module, [draw.input_ids], "input_ids")


def diagnostic_draws(seed: int) -> list[Tokens]:
    """Draws that tell the known mistakes apart; the first three share their configuration."""
    usual = {"vocab_size": 17, "hidden_size": 12, "max_position_embeddings": 9}
    few = {"vocab_size": 7, "hidden_size": 8, "max_position_embeddings": 9}
    default = {"vocab_size": 5, "hidden_size": 4}
    sizes = [(usual, 2, 5), (usual, 2, 5), (usual, 2, 5), (few, 3, 9), (few, 1, 4), (default, 4, 3)]
    return [
        Tokens(
            config,
            1 + ids(batch, length, vocabulary=config["vocab_size"] - 1, seed=seed + number),
            dtype=torch.float64,
            seed=seed + number,
        )
        for number, (config, batch, length) in enumerate(sizes)
    ]


options = Options(diagnostic_draws=diagnostic_draws)
