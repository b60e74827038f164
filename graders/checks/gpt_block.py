"""GPTBlock(hidden_size, num_heads, intermediate_size); forward(hidden_states, attention_mask=None)."""

from typing import Any

import torch
from hypothesis import strategies as st

from graders.check_api import mask_properties, properties, variation
from graders.check_api.check import Candidate, check, shaped, tensor
from graders.check_api.mask_sense import MaskArgument, Sense
from graders.check_api.reference_answer import (
    ReferenceAnswer,
    reference_answer,
    reference_answer_with_gradients,
)
from graders.check_api.reference_gradients import agree_gradients
from graders.check_api.strategies.attention_masks import allowed
from graders.check_api.strategies.lengths import LONG, of_length
from graders.check_api.strategies.module_inputs import States, attended
from graders.check_api.strategies.tensors import normal, seeds, sizes
from graders.check_api.usual_sizes import inner_width
from graders.check_api.variation import Varied, vary

MASK = MaskArgument(1, Sense.ONE_ALLOWS, "hides_what_the_mask_hides", shapes="hides_what_the_mask_hides")
SIZES = (inner_width("intermediate_size", "hidden_size", "has_the_parameters_of_its_parts"),)


def blocks(**options: Any) -> st.SearchStrategy[States]:
    """Blocks of width 4 and more: over one feature a norm gives a constant, over two only signs."""
    return attended(narrowest=4, intermediate_size=sizes(1, 12), **options)


@check(points=1, given=st.one_of(blocks(), blocks(mask="allowed")), shape_only=True)
def keeps_the_shape(candidate: Candidate, draw: States) -> None:
    """(B, S, E) stays (B, S, E), and one tensor comes back

    fr: (B, S, E) reste (B, S, E), et un seul tenseur est rendu
    """
    output = tensor(candidate.construct(**draw.config)(*draw.arguments))
    shaped(output, tuple(draw.hidden_states.shape))


@check(points=1, given=blocks(), shape_only=True)
def has_the_parameters_of_its_parts(candidate: Candidate, draw: States) -> None:
    """its parameters are those of the attention, the feed-forward network and two norms

    fr: ses paramètres sont ceux de l'attention, du réseau feed-forward et de deux normes
    """
    width, inner = draw.config["hidden_size"], draw.config["intermediate_size"]
    attention, feed_forward, norms = 4 * (width * width + width), 2 * width * inner + inner + width, 4 * width
    parameters = candidate.construct(**draw.config).parameters()
    properties.has_parameters(parameters, attention + feed_forward + norms)


@check(points=10, given=blocks(), answer=reference_answer, core=True)
def computes_what_the_reference_computes(candidate: Candidate, draw: States, answer: ReferenceAnswer) -> None:
    """under the same weights, the output is the reference's: post-norm, a norm after each sum

    fr: avec les mêmes poids, la sortie est celle de la référence : post-norm, une norme après chaque somme
    """
    answer.agree(properties.first_tensor(candidate.with_reference_weights(answer)(*draw.arguments)))


@check(
    points=1,
    given=blocks(least=33, most=128),
    answer=vary(variation.shorten),
    draws=3,
    kept_because=LONG,
    at_length=of_length(blocks),
)
def answers_long_sequences(candidate: Candidate, draw: States, answer: Varied) -> None:
    """33 to 128 positions are answered as a few are

    fr: 33 à 128 positions reçoivent la même réponse que quelques-unes
    """
    variation.agree_in_variation(candidate, answer, variation.answers_its_start_alike)


@check(points=1, given=blocks(dtype=torch.float64), answer=vary(variation.cast_to_single), draws=10)
def computes_in_double_precision(candidate: Candidate, draw: States, answer: Varied) -> str | None:
    """in float64 the answer is of float64, and the same as in float32

    fr: en float64, la réponse est en float64, et la même qu'en float32
    """
    return variation.agree_in_double(candidate, answer)


@check(points=4, given=blocks(least=2))
def hides_what_the_mask_hides(candidate: Candidate, draw: States) -> None:
    """what attention_mask hides from all other positions changes none of their outputs

    fr: ce qu'attention_mask cache à toutes les autres positions ne change aucune de leurs sorties
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    position = draw.seed % (draw.hidden_states.shape[1] - 1)
    changed = draw.hidden_states.clone()
    changed[:, position] += normal(*changed[:, position].shape, seed=draw.seed + 1)
    mask_properties.hides_what_is_masked(module, draw.hidden_states, changed, position)


@check(points=2, given=blocks(least=2))
def does_not_look_ahead(candidate: Candidate, draw: States) -> None:
    """later positions change no earlier output: the first positions alone give the same output

    fr: les positions ultérieures ne changent aucune sortie antérieure : un début seul reçoit la même réponse
    que dans le tout
    """
    module, x = candidate.with_random_weights(draw.seed, **draw.config), draw.hidden_states
    changed = x.clone()
    changed[:, -1] += normal(*changed[:, -1].shape, seed=draw.seed + 1)
    output = mask_properties.does_not_look_ahead(module, [x], changed)
    mask_properties.knows_no_future(module, x)
    properties.uses_its_weights(module, output, [x], draw.seed)


@check(points=1, given=blocks())
def treats_sequences_apart(candidate: Candidate, draw: States) -> None:
    """each sequence of a batch is answered as if it were alone

    fr: chaque séquence d'un lot reçoit la même réponse que seule
    """
    module, x = candidate.with_random_weights(draw.seed, **draw.config), draw.hidden_states
    output = properties.treats_sequences_apart(module, [x])
    shaped(output, tuple(x.shape))
    properties.depends_on(module, output, [normal(*x.shape, seed=draw.seed + 1)])
    properties.uses_its_weights(module, output, [x], draw.seed)


@check(points=2, given=blocks(), answer=reference_answer_with_gradients)
def teaches_every_parameter(candidate: Candidate, draw: States, answer: ReferenceAnswer) -> None:
    """gradients reach every parameter and the input; where the output is right, they are too

    fr: les gradients atteignent chaque paramètre et l'entrée ; là où la sortie est juste, ils le sont aussi
    """
    agree_gradients(answer, candidate.with_reference_weights(answer))


WIDE = {"hidden_size": 32, "num_heads": 4, "intermediate_size": 16}


@check(points=2, given=seeds().map(lambda s: States(WIDE, normal(4, 8, 32, seed=s), seed=s)), draws=6)
def drops_in_training_only(candidate: Candidate, draw: States) -> None:
    """dropout acts in training and at no other time

    fr: le dropout agit à l'entraînement, et à aucun autre moment
    """
    properties.drops_in_training(candidate.construct(**draw.config), [draw.hidden_states])


@check(points=1, given=st.one_of(blocks(), blocks(mask="allowed")), on_its_word=True)
def leaves_its_arguments_alone(candidate: Candidate, draw: States) -> str | None:
    """hidden_states and attention_mask keep their values, and the second call answers as the first

    fr: hidden_states et attention_mask gardent leurs valeurs, et le second appel répond comme le premier
    """
    module, x = candidate.with_random_weights(draw.seed, **draw.config), draw.hidden_states
    output = properties.first_tensor(module(x))
    properties.depends_on(module, output, [normal(*x.shape, seed=draw.seed + 1)])
    properties.uses_its_weights(module, output, [x], draw.seed)
    return properties.leaves_alone(module, draw.arguments, "hidden_states", "attention_mask")


def diagnostic_draws(seed: int) -> list[States]:
    """Draws that tell the known mistakes apart; the first three share their configuration."""
    usual = {"hidden_size": 12, "num_heads": 3, "intermediate_size": 20}
    other = {"hidden_size": 8, "num_heads": 4, "intermediate_size": 5}
    sizes = [
        (usual, 2, 5, 1.0, None),
        (usual, 2, 5, 1.0, torch.int64),
        (usual, 2, 5, 1.0, torch.float64),
        (usual, 1, 7, 0.05, None),
        (other, 4, 4, 1.0, torch.int64),
        (other, 1, 6, 30.0, None),
        ({"hidden_size": 10, "num_heads": 4, "intermediate_size": 6}, 1, 3, 1.0, None),
    ]
    return [
        States(
            config,
            normal(batch, length, config["hidden_size"], seed=seed + n, scale=scale, dtype=torch.float64),
            None if mask is None else allowed(batch, length, seed + n).to(mask),
            seed=seed + n,
        )
        for n, (config, batch, length, scale, mask) in enumerate(sizes)
    ]
