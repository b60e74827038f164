"""BertEncoder(num_layers, hidden_size, num_heads, intermediate_size): layers, one after another."""

from functools import partial
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api import properties, variation
from graders.check_api.check import Candidate, alike, check, shaped, tensor
from graders.check_api.mask_sense import MaskArgument, Sense
from graders.check_api.options import Options
from graders.check_api.reference_answer import (
    ReferenceAnswer,
    reference_answer,
    reference_answer_with_gradients,
)
from graders.check_api.reference_gradients import agree_gradients
from graders.check_api.strategies.attention_masks import NEGATIVE, additive, padding
from graders.check_api.strategies.lengths import LONG, of_length
from graders.check_api.strategies.module_inputs import States, attended
from graders.check_api.strategies.tensors import normal, sizes
from graders.check_api.usual_sizes import inner_width
from graders.check_api.variants import GELUS
from graders.check_api.variation import Varied, vary
from graders.language import tr

ACTIVATIONS = GELUS
ANSWER = partial(reference_answer, activations=ACTIVATIONS)


def encoders(fewest: int = 1, **options: Any) -> st.SearchStrategy[States]:
    """Encoders of width 4 and more and up to three layers."""
    return attended(narrowest=4, num_layers=sizes(fewest, 3), intermediate_size=sizes(1, 8), **options)


def either(**options: Any) -> st.SearchStrategy[States]:
    """Encoders with and without a mask."""
    return encoders(**options) | encoders(mask="by_key", least=2, **options)


@check(points=1, given=either(), draws=8, shape_only=True)
def keeps_the_shape(candidate: Candidate, draw: States) -> None:
    """(B, S, E) stays (B, S, E), and one tensor comes back

    fr: (B, S, E) reste (B, S, E), et un seul tenseur est rendu
    """
    shaped(tensor(candidate.construct(**draw.config)(*draw.arguments)), tuple(draw.hidden_states.shape))


@check(points=2, given=encoders(), draws=8, shape_only=True)
def has_the_parameters_of_all_layers(candidate: Candidate, draw: States) -> None:
    """it has num_layers layers, each with parameters of its own

    fr: il a num_layers couches, chacune avec ses propres paramètres
    """
    width, inner, count = (draw.config[n] for n in ("hidden_size", "intermediate_size", "num_layers"))
    layer = 4 * (width * width + width) + 2 * width * inner + inner + width + 4 * width
    properties.has_parameters(candidate.construct(**draw.config).parameters(), count * layer)


@check(points=8, given=encoders(), answer=ANSWER, core=True)
def computes_what_the_reference_computes(candidate: Candidate, draw: States, answer: ReferenceAnswer) -> None:
    """under the same weights, the output is the reference's: each layer gets what the one before gave

    fr: avec les mêmes poids, la sortie est celle de la référence : chaque couche reçoit la sortie de la
    précédente
    """
    answer.agree(properties.first_tensor(candidate.with_reference_weights(answer)(*draw.arguments)))


@check(
    points=1,
    given=encoders(least=33, most=128),
    answer=vary(variation.shorten, ANSWER),
    draws=3,
    kept_because=LONG,
    at_length=of_length(encoders),
)
def answers_long_sequences(candidate: Candidate, draw: States, answer: Varied) -> None:
    """33 to 128 positions are answered as a few are

    fr: 33 à 128 positions reçoivent la même réponse que quelques-unes
    """
    variation.agree_in_variation(candidate, answer, variation.answers_repeats_alike)


@check(points=1, given=either(dtype=torch.float64), answer=vary(variation.cast_to_single, ANSWER), draws=5)
def computes_in_double_precision(candidate: Candidate, draw: States, answer: Varied) -> str | None:
    """in float64 the answer is of float64, and the same as in float32

    fr: en float64, la réponse est en float64, et la même qu'en float32
    """
    return variation.agree_in_double(candidate, answer)


@check(
    points=2,
    given=encoders(fewest=2, mask="additive", least=2),
    answer=vary(variation.drop_mask, ANSWER),
    draws=8,
)
def hands_the_mask_to_every_layer(candidate: Candidate, draw: States, answer: Varied) -> None:
    """additive masks of several shapes act in every layer, and change nothing else

    fr: les masques additifs de plusieurs formes agissent dans chaque couche, et ne changent rien d'autre
    """
    variation.agree_in_variation(
        candidate,
        answer,
        variation.takes_the_mask_written_out,
        value_name=tr("the output under the mask"),
    )


@check(points=2, given=encoders(fewest=2, least=2), draws=8)
def sees_nothing_of_what_is_masked(candidate: Candidate, draw: States) -> None:
    """through all layers, a position that is masked for all queries changes no other output

    fr: à travers toutes les couches, une position masquée pour toutes les requêtes ne change aucune autre
    sortie
    """
    x, module = draw.hidden_states, candidate.with_random_weights(draw.seed, **draw.config)
    mask = torch.zeros(x.shape[0], 1, 1, x.shape[1])
    mask[..., -1] = NEGATIVE[0]
    changed = x.clone()
    changed[:, -1] += normal(*changed[:, -1].shape, seed=draw.seed + 1)
    before, after = properties.first_tensor(module(x, mask)), properties.first_tensor(module(changed, mask))
    shaped(before, tuple(x.shape))
    alike(after[:, :-1], before[:, :-1], tr("the output at the other positions"))


@check(points=1, given=encoders(least=2), draws=8)
def knows_neither_order_nor_batch(candidate: Candidate, draw: States) -> None:
    """positions or sequences in another order give the outputs in that order; each sequence stands alone

    fr: un autre ordre des positions ou des séquences donne les sorties dans cet ordre ; chaque séquence est
    seule
    """
    x, module = draw.hidden_states, candidate.with_random_weights(draw.seed, **draw.config)
    output = properties.treats_sequences_apart(module, [x])
    shaped(output, tuple(x.shape))
    alike(
        properties.first_tensor(module(x.roll(1, 1).flip(0))),
        output.roll(1, 1).flip(0),
        tr("the output for another order"),
    )


@check(
    points=2,
    given=either(),
    answer=partial(reference_answer_with_gradients, activations=ACTIVATIONS),
    draws=8,
)
def teaches_every_layer(candidate: Candidate, draw: States, answer: ReferenceAnswer) -> None:
    """gradients reach every layer and the input; where the output is right, they are too

    fr: les gradients atteignent chaque couche et l'entrée ; là où la sortie est juste, ils le sont aussi
    """
    agree_gradients(answer, candidate.with_reference_weights(answer))


@check(points=1, given=either(), draws=8, on_its_word=True)
def leaves_its_arguments_alone(candidate: Candidate, draw: States) -> str | None:
    """the input and the mask keep their values, and the second call answers as the first

    fr: l'entrée et le masque gardent leurs valeurs, et le deuxième appel répond comme le premier
    """
    _x, module = draw.hidden_states, candidate.with_random_weights(draw.seed, **draw.config)
    properties.first_tensor(module(*draw.arguments))
    return properties.leaves_alone(module, draw.arguments, "hidden_states", "attention_mask")


def diagnostic_draws(seed: int) -> list[States]:
    """Draws that tell the known mistakes apart."""
    config = {"num_layers": 2, "hidden_size": 12, "num_heads": 3, "intermediate_size": 20}
    kept = padding(2, 5, seed)
    kept[0, -2:], kept[1, :] = 0, 1  # one sequence with padding and one without, whatever the seed
    by_keys = additive(kept[:, None, None] == 0, dtype=torch.float64)
    chance = normal(2, 3, 5, 5, seed=seed + 1) > 0
    anywhere = additive(chance & ~torch.eye(5, dtype=torch.bool), NEGATIVE[1], torch.float64)

    def given(
        config: dict[str, int],
        offset: int,
        batch: int,
        length: int,
        mask: Tensor | None = None,
        scale: float = 1,
    ) -> States:
        shape = (batch, length, config["hidden_size"])
        x = normal(*shape, seed=seed + offset, scale=scale, dtype=torch.float64)
        return States(config, x, mask, seed=seed + offset)

    return [
        given(config, 2, 2, 5),
        given(config, 3, 2, 5, by_keys),
        given(config, 4, 2, 5, anywhere),
        given({**config, "num_layers": 3}, 5, 3, 6),
        given({**config, "num_layers": 1}, 6, 1, 4, scale=0.05),
        given(
            {"num_layers": 3, "hidden_size": 8, "num_heads": 4, "intermediate_size": 5}, 7, 2, 7, scale=30.0
        ),
    ]


options = Options(
    activations=ACTIVATIONS,
    mask=MaskArgument(
        1, Sense.ADDS, check="sees_nothing_of_what_is_masked", shapes="hands_the_mask_to_every_layer"
    ),
    sizes=(inner_width("intermediate_size", "hidden_size", "has_the_parameters_of_all_layers"),),
    diagnostic_draws=diagnostic_draws,
)
