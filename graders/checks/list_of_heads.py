"""MultiHead(num_heads, head_size, n_embd, block_size, dropout=0.0); forward(x): (B, T, E) -> (B, T, E)."""

from dataclasses import dataclass
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api import mask_properties, properties, variation
from graders.check_api.check import Candidate, check, require, same, shaped, tensor
from graders.check_api.drawn_attention import CAUSAL, HEADS, DrawnAttention
from graders.check_api.options import Options
from graders.check_api.reference_answer import (
    ReferenceAnswer,
    reference_answer,
    reference_answer_with_gradients,
)
from graders.check_api.reference_gradients import agree_gradients
from graders.check_api.strategies.lengths import of_length
from graders.check_api.strategies.module_inputs import Given
from graders.check_api.strategies.tensors import input_values, normal, seeds, sizes
from graders.check_api.usual_sizes import head_width
from graders.check_api.variation import Varied, vary
from graders.language import tr

RATE = 0.5


@dataclass(frozen=True, eq=False)
class Input(Given):
    """The heads' input (B, T, E)."""

    x: Tensor


@st.composite
def heads(draw: st.DrawFn, least: int = 1, most: int = 6, dtype: torch.dtype = torch.float32) -> Input:
    """Heads and their input (B, T, E), which sometimes fills the block. T goes from `least` to `most`."""
    batch, length, width, seed = draw(sizes(1, 3)), draw(sizes(least, most)), draw(sizes(2, 8)), draw(seeds())
    block = length + draw(sizes(0, 3))
    config = {
        "num_heads": draw(sizes(1, 4)),
        "head_size": draw(sizes(1, 5)),
        "n_embd": width,
        "block_size": block,
    }
    return Input(config, input_values(batch, length, width, seed=seed, dtype=dtype), seed=seed)


@check(points=1, given=heads(), shape_only=True)
def answers_with_the_width_of_the_model(candidate: Candidate, draw: Input) -> None:
    """(B, T, E) stays (B, T, E), and one tensor comes back

    fr: (B, T, E) reste (B, T, E), et un seul tenseur est rendu
    """
    shaped(tensor(candidate.construct(**draw.config)(draw.x)), tuple(draw.x.shape))


@check(points=1, given=heads(), shape_only=True)
def has_heads_and_a_projection(candidate: Candidate, draw: Input) -> None:
    """each head has 3 E * D parameters of its own, and the projection H * D * E + E

    fr: chaque tête a 3 E * D paramètres à elle, et la projection H * D * E + E
    """
    wide, width = draw.config["num_heads"] * draw.config["head_size"], draw.config["n_embd"]
    expected = 4 * wide * width + width
    properties.has_parameters(candidate.construct(**draw.config).parameters(), expected)


@check(points=8, given=heads(), answer=reference_answer, core=True)
def computes_what_the_reference_computes(candidate: Candidate, draw: Input, answer: ReferenceAnswer) -> None:
    """under the same weights, the output is the reference's

    fr: avec les mêmes poids, la sortie est celle de la référence
    """
    answer.agree(properties.first_tensor(candidate.with_reference_weights(answer)(draw.x)))


@check(points=1, given=heads(dtype=torch.float64), answer=vary(variation.cast_to_single), draws=10)
def computes_in_double_precision(candidate: Candidate, draw: Input, answer: Varied) -> str | None:
    """in float64 the answer is of float64, and the same as in float32

    fr: en float64, la réponse est en float64, et la même qu'en float32
    """
    return variation.agree_in_double(candidate, answer)


@check(points=2, given=heads(least=2), at_length=of_length(heads))
def does_not_look_ahead(candidate: Candidate, draw: Input) -> None:
    """a change at the last position changes the last output alone

    fr: un changement à la dernière position ne change que la dernière sortie
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    changed = draw.x.clone()
    changed[:, -1] += normal(*changed[:, -1].shape, seed=draw.seed + 1)
    mask_properties.does_not_look_ahead(module, [draw.x], changed)


@check(points=2, given=heads(least=2), draws=10)
def looks_back_at_any_length(candidate: Candidate, draw: Input) -> None:
    """the first positions alone give the same output, and the last output depends on the first position

    fr: les premières positions seules donnent la même sortie, et la dernière sortie dépend de la première
    position
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    output = mask_properties.knows_no_future(module, draw.x)
    changed = draw.x.clone()
    changed[:, 0] += normal(*changed[:, 0].shape, seed=draw.seed + 1)
    after = properties.first_tensor(module(changed))
    shaped(after, tuple(output.shape))
    message = tr("the last output does not depend on the first position")
    require(not torch.equal(after[:, -1], output[:, -1]), message)


@check(points=1, given=heads(), draws=10)
def treats_sequences_apart(candidate: Candidate, draw: Input) -> None:
    """each sequence of a batch is answered as if it were alone

    fr: chaque séquence d'un lot reçoit la même réponse que seule
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    output = properties.treats_sequences_apart(module, [draw.x])
    shaped(output, tuple(draw.x.shape))


@check(points=2, given=heads(), answer=reference_answer_with_gradients, draws=10)
def teaches_every_parameter(candidate: Candidate, draw: Input, answer: ReferenceAnswer) -> None:
    """gradients reach every parameter and the input; where the output is right, they are too

    fr: les gradients atteignent chaque paramètre et l'entrée ; là où la sortie est juste, ils le sont aussi
    """
    agree_gradients(answer, candidate.with_reference_weights(answer))


SMALL = {"num_heads": 3, "head_size": 5, "n_embd": 16, "block_size": 8}
inputs = seeds().map(lambda seed: Input(SMALL, normal(4, 8, 16, seed=seed), seed=seed))


@check(points=1, given=inputs, draws=6)
def drops_in_training_only(candidate: Candidate, draw: Input) -> None:
    """dropout acts in training and at no other time, at the rate asked for, and by default not at all

    fr: le dropout agit à l'entraînement et à aucun autre moment, au taux demandé, et pas du tout par défaut
    """
    properties.drops_in_training_only(
        lambda rate: candidate.construct(**draw.config, dropout=rate), RATE, draw.x
    )
    module = candidate.construct(**draw.config)
    in_evaluation = properties.first_tensor(module(draw.x))
    same(
        properties.first_tensor(module.train()(draw.x)),
        in_evaluation,
        tr("the output in training where no rate is asked for"),
    )


@check(points=1, given=heads(), on_its_word=True)
def leaves_its_argument_alone(candidate: Candidate, draw: Input) -> str | None:
    """x keeps its values, and the second call answers as the first

    fr: x garde ses valeurs, et le second appel répond comme le premier
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    properties.first_tensor(module(draw.x))
    return properties.leaves_alone(module, [draw.x], "x")


def diagnostic_draws(seed: int) -> list[Input]:
    """Draws that tell the known mistakes apart; the first three share their configuration."""
    usual: dict[str, Any] = {"num_heads": 3, "head_size": 4, "n_embd": 10, "block_size": 9, "dropout": 0.0}
    draws: list[tuple[dict[str, Any], int, int, float]] = [
        (usual, 2, 7, 1.0),
        (usual, 2, 9, 1.0),
        (usual, 3, 5, 1.0),
        ({**usual, "dropout": RATE}, 3, 6, 1.0),
        ({**usual, "head_size": 2, "n_embd": 7}, 2, 8, 20.0),
        ({"num_heads": 2, "head_size": 3, "n_embd": 6, "block_size": 6}, 1, 6, 1.0),
    ]
    return [
        Input(config, _x(batch, length, config["n_embd"], seed + n, scale), seed=seed + n)
        for n, (config, batch, length, scale) in enumerate(draws)
    ]


def _x(batch: int, length: int, width: int, seed: int, scale: float) -> Tensor:
    return normal(batch, length, width, seed=seed, scale=scale, dtype=torch.float64)


options = Options(
    sizes=(head_width("head_size", "n_embd", "num_heads", "has_heads_and_a_projection", "x"),),
    drawn=DrawnAttention(
        lambda x, _: Input(
            {"num_heads": HEADS, "head_size": 8, "n_embd": x.shape[-1], "block_size": x.shape[1]}, x
        ),
        CAUSAL,
    ),
    diagnostic_draws=diagnostic_draws,
)
