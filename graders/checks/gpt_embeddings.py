"""GPTEmbeddings(vocab_size, hidden_size, max_position_embeddings=512); forward(input_ids) -> (B, S, E)."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import torch

from graders.check_api import variation
from graders.check_api.check import Candidate, alike, check, require, shaped
from graders.check_api.options import Options
from graders.check_api.properties import first_tensor
from graders.check_api.standard_checks.module_checks import ModuleChecks
from graders.check_api.strategies.extremes import extremes
from graders.check_api.strategies.fed import Row, fixed_ids
from graders.check_api.strategies.module_inputs import Tokens, worded
from graders.check_api.strategies.tensors import sizes
from graders.check_api.usual_sizes import model_width, number_of_parts, number_of_positions
from graders.language import tr

FEW = {"vocab_size": 7, "hidden_size": 8}
DEFAULT = {"vocab_size": 5, "hidden_size": 4, "max_position_embeddings": None}
SIZES = {"vocab_size": 17, "hidden_size": 12, "max_position_embeddings": 9}
options = Options(
    sizes=(
        model_width("hidden_size", "has_two_tables_and_a_norm"),
        number_of_parts("vocab_size", "has_two_tables_and_a_norm", "input_ids"),
        number_of_positions("max_position_embeddings", "has_two_tables_and_a_norm"),
    ),
    diagnostic_draws=fixed_ids(
        Tokens,
        SIZES,
        *(Row(2, 5), Row(2, 5), Row(2, 5)),
        *(Row(3, 9, FEW), Row(2, 4, FEW), Row(4, 3, DEFAULT)),
    ),
)
embeddings = ModuleChecks(
    worded, options, shape=lambda draw: (*draw.input_ids.shape, draw.config["hidden_size"])
)


def count(config: Mapping[str, Any]) -> int:
    """The parameters of both tables and of the norm."""
    rows = config["vocab_size"] + config.get("max_position_embeddings", 512) + 2
    return int(rows * config["hidden_size"])


def leave_out_the_positions(draw: Tokens) -> Tokens:
    """The draw without the number of positions."""
    return replace(draw, config={name: draw.config[name] for name in ("vocab_size", "hidden_size")})


keeps_the_shape = embeddings.keeps_the_shape(
    points=1,
    says="""ids (B, S) become vectors (B, S, E), in one tensor

    fr: les identifiants (B, S) deviennent des vecteurs (B, S, E), en un seul tenseur
    """,
)
has_two_tables_and_a_norm = embeddings.has_parameters(
    count,
    points=1,
    says="""its parameters are those of the words, the positions and one norm

    fr: ses paramètres sont ceux des mots, des positions et d'une norme
    """,
)
knows_512_positions_by_default = embeddings.has_parameters(
    count,
    points=1,
    given=worded().map(leave_out_the_positions),
    draws=5,
    says="""without max_position_embeddings there are 512 positions

    fr: sans max_position_embeddings, il y a 512 positions
    """,
)
computes_what_the_reference_computes = embeddings.computes_what_the_reference_computes(
    points=9,
    says="""under the same weights, the output is the reference's: the norm of word plus position

    fr: avec les mêmes poids, la sortie est celle de la référence : la norme de mot plus position
    """,
)
answers_long_sequences = embeddings.answers_long_sequences(
    points=1,
    extremes=extremes(partial(fixed_ids, Tokens, SIZES), "hidden_size", SIZES),
    otherwise=variation.answers_its_start_alike,
)
computes_in_double_precision = embeddings.computes_in_double_precision(points=1)


@check(points=2, given=worded())
def tells_positions_apart(candidate: Candidate, draw: Tokens) -> None:
    """the same word gets another vector at each position

    fr: le même mot reçoit un autre vecteur à chaque position
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    words = draw.input_ids[:, :1].expand_as(draw.input_ids).contiguous()
    output = first_tensor(module(words))
    shaped(output, (*words.shape, draw.config["hidden_size"]))
    alike(first_tensor(module(words)), output, tr("the output of the second call"))
    for position in range(1, words.shape[1]):
        gap = (output[:, :position] - output[:, position : position + 1]).abs().amax(-1)
        message = tr("one word at position {position} and before gets the same vector", position=position)
        require(bool((gap > 1e-4).all()), message)


@check(points=2, given=worded(least=3))
def looks_at_each_word_by_itself(candidate: Candidate, draw: Tokens) -> None:
    """another word at one position changes the vector there and no other

    fr: un autre mot à une position y change le vecteur, et aucun autre
    """
    module, words = candidate.with_random_weights(draw.seed, **draw.config), draw.input_ids
    output = first_tensor(module(words))
    shaped(output, (*words.shape, draw.config["hidden_size"]))
    changed = words.clone()
    changed[:, -1] = (words[:, -1] + 1) % draw.config["vocab_size"]
    after = first_tensor(module(changed))
    shaped(after, tuple(output.shape))
    alike(after[:, :-1], output[:, :-1], tr("the output before the other word"))
    require(not torch.equal(after[:, -1], output[:, -1]), tr("the output at the other word did not change"))
    alike(first_tensor(module(words[:, :-1])), output[:, :-1], tr("the output without the last position"))


answers_the_smallest_sizes = embeddings.answers_the_smallest_sizes("batch", "length", "full", points=1)
teaches_every_parameter = embeddings.teaches_every_parameter(
    points=2,
    says="""gradients reach both tables and the norm; where the output is right, they are too

    fr: les gradients atteignent les deux tables et la norme ; là où la sortie est juste, ils le sont aussi
    """,
)
drops_in_training_only = embeddings.drops_in_training_only(
    points=2, given=worded(least=8, most=8, hidden_size=sizes(32, 32))
)
leaves_its_ids_alone = embeddings.leaves_its_arguments_alone(points=1)
