"""BertLayer(hidden_size, num_heads, intermediate_size): attention, feed-forward, each with sum and norm."""

from functools import partial
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api import properties, variation
from graders.check_api.check import Candidate, alike, check, require, shaped, tensor
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
from graders.check_api.strategies.tensors import normal, seeds, sizes
from graders.check_api.usual_sizes import inner_width
from graders.check_api.variants import GELUS
from graders.check_api.variation import Varied, vary
from graders.language import tr

ACTIVATIONS = GELUS
ANSWER = partial(reference_answer, activations=ACTIVATIONS)


def layers(**options: Any) -> st.SearchStrategy[States]:
    """Layers of width 4 and more: over one feature a norm gives a constant, over two only signs."""
    return attended(narrowest=4, intermediate_size=sizes(1, 12), **options)


def either() -> st.SearchStrategy[States]:
    """Layers with and without a mask."""
    return layers() | layers(mask="by_key", least=2)


@check(points=1, given=either(), shape_only=True)
def keeps_the_shape(candidate: Candidate, draw: States) -> None:
    """(B, S, E) stays (B, S, E), and one tensor comes back

    fr: (B, S, E) reste (B, S, E), et un seul tenseur est rendu
    """
    shaped(tensor(candidate.construct(**draw.config)(*draw.arguments)), tuple(draw.hidden_states.shape))


@check(points=1, given=layers(), shape_only=True)
def has_the_parameters_of_its_parts(candidate: Candidate, draw: States) -> None:
    """its parameters are those of the attention, the feed-forward network and two norms

    fr: ses paramètres sont ceux de l'attention, du réseau feed-forward et de deux normes
    """
    width, inner = draw.config["hidden_size"], draw.config["intermediate_size"]
    attention, feed_forward = 4 * (width * width + width), 2 * width * inner + inner + width
    parameters = candidate.construct(**draw.config).parameters()
    properties.has_parameters(parameters, attention + feed_forward + 4 * width)


@check(points=9, given=layers(), answer=ANSWER, core=True)
def computes_what_the_reference_computes(candidate: Candidate, draw: States, answer: ReferenceAnswer) -> None:
    """under the same weights, the output is the reference's: post-norm, each part's output added to its input

    fr: avec les mêmes poids, la sortie est celle de la référence : post-norm, chaque partie ajoutée à son
    entrée
    """
    answer.agree(properties.first_tensor(candidate.with_reference_weights(answer)(*draw.arguments)))


@check(
    points=1,
    given=layers(least=33, most=128),
    answer=vary(variation.shorten, ANSWER),
    draws=3,
    kept_because=LONG,
    at_length=of_length(layers),
)
def answers_long_sequences(candidate: Candidate, draw: States, answer: Varied) -> None:
    """33 to 128 positions are answered as a few are

    fr: 33 à 128 positions reçoivent la même réponse que quelques-unes
    """
    variation.agree_in_variation(candidate, answer, variation.answers_repeats_alike)


@check(
    points=1,
    given=layers(dtype=torch.float64),
    answer=vary(variation.cast_to_single, ANSWER),
    draws=10,
)
def computes_in_double_precision(candidate: Candidate, draw: States, answer: Varied) -> str | None:
    """in float64 the answer is of float64, and the same as in float32

    fr: en float64, la réponse est en float64, et la même qu'en float32
    """
    return variation.agree_in_double(candidate, answer)


@check(
    points=3,
    given=layers(mask="additive", least=2),
    answer=vary(variation.drop_mask, ANSWER),
)
def hands_the_mask_to_the_attention(candidate: Candidate, draw: States, answer: Varied) -> None:
    """additive masks of several shapes all act in the attention, and change nothing else

    fr: les masques additifs de plusieurs formes agissent tous dans l'attention, et ne changent rien d'autre
    """
    variation.agree_in_variation(
        candidate,
        answer,
        variation.takes_the_mask_written_out,
        value_name=tr("the output under the mask"),
    )


@check(points=1, given=layers(least=2))
def sees_nothing_of_what_is_masked(candidate: Candidate, draw: States) -> None:
    """a position that is masked for all queries changes no other output

    fr: une position masquée pour toutes les requêtes ne change aucune autre sortie
    """
    x, module = draw.hidden_states, candidate.with_random_weights(draw.seed, **draw.config)
    mask = torch.zeros(x.shape[0], 1, 1, x.shape[1])
    mask[..., -1] = NEGATIVE[0]
    changed = x.clone()
    changed[:, -1] += normal(*changed[:, -1].shape, seed=draw.seed + 1)
    before, after = properties.first_tensor(module(x, mask)), properties.first_tensor(module(changed, mask))
    shaped(before, tuple(x.shape))
    alike(after[:, :-1], before[:, :-1], tr("the output at the other positions"))
    require(
        not torch.equal(after[:, -1], before[:, -1]), tr("the output at the changed position did not change")
    )


@check(points=1, given=layers(least=2, scale=1e4))
def ends_with_a_norm(candidate: Candidate, draw: States) -> None:
    """however large the input is, the output is not: the last step is a norm

    fr: aussi grande que soit l'entrée, la sortie ne l'est pas : la dernière étape est une norme
    """
    x, module = draw.hidden_states, candidate.with_random_weights(draw.seed, **draw.config)
    output = properties.first_tensor(module(x))
    shaped(output, tuple(x.shape))
    alike(properties.first_tensor(module(x)), output, tr("the output of the second call"))
    # A norm's output is at most sqrt(E) times its gain and its bias, both near 1 here.
    require(bool((output.abs() < 100).all()), tr("large inputs give large outputs: is a norm the last step?"))


@check(points=1, given=layers(least=2))
def knows_neither_order_nor_batch(candidate: Candidate, draw: States) -> None:
    """positions or sequences in another order give the outputs in that order; each sequence stands alone

    fr: un autre ordre des positions ou des séquences donne les sorties dans cet ordre ; chaque séquence est
    seule
    """
    x, module = draw.hidden_states, candidate.with_random_weights(draw.seed, **draw.config)
    output = properties.first_tensor(module(x))
    shaped(output, tuple(x.shape))
    alike(
        properties.first_tensor(module(x.roll(1, 1).flip(0))),
        output.roll(1, 1).flip(0),
        tr("the output for another order"),
    )
    alike(properties.first_tensor(module(x[:1])), output[:1], tr("the first sequence alone"))


@check(points=2, given=either(), answer=partial(reference_answer_with_gradients, activations=ACTIVATIONS))
def teaches_every_parameter(candidate: Candidate, draw: States, answer: ReferenceAnswer) -> None:
    """gradients reach every parameter and the input; where the output is right, they are too

    fr: les gradients atteignent chaque paramètre et l'entrée ; là où la sortie est juste, ils le sont aussi
    """
    agree_gradients(answer, candidate.with_reference_weights(answer))


@st.composite
def roomy(draw: st.DrawFn) -> States:
    """So many states that dropout is certain to change the output."""
    width = draw(st.sampled_from([16, 32]))
    config = {"hidden_size": width, "num_heads": draw(st.sampled_from([2, 4])), "intermediate_size": 24}
    return States(config, normal(4, 8, width, seed=draw(seeds())))


@check(points=2, given=roomy(), draws=6)
def drops_in_training_only(candidate: Candidate, draw: States) -> None:
    """dropout acts in training and at no other time

    fr: le dropout agit à l'entraînement et à aucun autre moment
    """
    properties.drops_in_training(candidate.construct(**draw.config), draw.arguments)


@check(points=1, given=either(), on_its_word=True)
def leaves_its_arguments_alone(candidate: Candidate, draw: States) -> str | None:
    """the input and the mask keep their values, and the second call answers as the first

    fr: l'entrée et le masque gardent leurs valeurs, et le deuxième appel répond comme le premier
    """
    _x, module = draw.hidden_states, candidate.with_random_weights(draw.seed, **draw.config)
    properties.first_tensor(module(*draw.arguments))
    return properties.leaves_alone(module, draw.arguments, "hidden_states", "attention_mask")


def diagnostic_draws(seed: int) -> list[States]:
    """Draws that tell the known mistakes apart."""
    config = {"hidden_size": 12, "num_heads": 3, "intermediate_size": 20}
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
        given(config, 5, 3, 6, scale=0.05),
        given(config, 6, 1, 4, scale=30.0),
        given({"hidden_size": 8, "num_heads": 4, "intermediate_size": 5}, 7, 2, 7),
        given({"hidden_size": 10, "num_heads": 4, "intermediate_size": 6}, 8, 1, 3),
    ]


options = Options(
    activations=ACTIVATIONS,
    mask=MaskArgument(
        1, Sense.ADDS, check="sees_nothing_of_what_is_masked", shapes="hands_the_mask_to_the_attention"
    ),
    sizes=(inner_width("intermediate_size", "hidden_size", "has_the_parameters_of_its_parts"),),
    diagnostic_draws=diagnostic_draws,
)
