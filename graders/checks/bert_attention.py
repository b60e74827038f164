"""MultiHeadSelfAttention(hidden_size, num_heads); (B, S, E) and an additive mask -> (B, S, E)."""

import math

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api import properties, variation
from graders.check_api.check import Candidate, alike, check, require, shaped, tensor
from graders.check_api.drawn_attention import HEADS, SEES_ALL, DrawnAttention
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
from graders.check_api.strategies.module_inputs import Indivisible, States, attended, indivisible
from graders.check_api.strategies.tensors import normal
from graders.check_api.variation import Varied, vary
from graders.language import tr


def plain(dtype: torch.dtype = torch.float32) -> st.SearchStrategy[States]:
    """Hidden states without a mask, or with a mask (B, 1, 1, S) for all heads and queries."""
    return attended(dtype=dtype) | attended(mask="by_key", least=2, dtype=dtype)


def masked() -> st.SearchStrategy[States]:
    """Hidden states and masks of several shapes, that of padding more often than others."""
    return attended(mask="additive", least=2) | attended(mask="by_key", least=2)


@check(points=1, given=plain(), shape_only=True)
def keeps_the_shape(candidate: Candidate, draw: States) -> None:
    """(B, S, E) stays (B, S, E), and one tensor comes back

    fr: (B, S, E) reste (B, S, E), et un seul tenseur est rendu
    """
    shaped(tensor(candidate.construct(**draw.config)(*draw.arguments)), tuple(draw.hidden_states.shape))


@check(points=1, given=attended(), shape_only=True)
def has_four_layers_with_bias(candidate: Candidate, draw: States) -> None:
    """four linear layers with bias: 4 (E * E + E) parameters

    fr: quatre couches linéaires avec biais : 4 (E * E + E) paramètres
    """
    width = draw.config["hidden_size"]
    properties.has_parameters(candidate.construct(**draw.config).parameters(), 4 * (width * width + width))


@check(points=10, given=attended(), answer=reference_answer, core=True)
def computes_what_the_reference_computes(candidate: Candidate, draw: States, answer: ReferenceAnswer) -> None:
    """under the same weights, the output is the reference's

    fr: avec les mêmes poids, la sortie est celle de la référence
    """
    answer.agree(properties.first_tensor(candidate.with_reference_weights(answer)(*draw.arguments)))


@check(
    points=1,
    given=attended(least=33, most=128),
    answer=vary(variation.shorten),
    draws=3,
    kept_because=LONG,
    at_length=of_length(attended),
)
def answers_long_sequences(candidate: Candidate, draw: States, answer: Varied) -> None:
    """33 to 128 positions are answered as a few are

    fr: 33 à 128 positions reçoivent la même réponse que quelques-unes
    """
    variation.agree_in_variation(candidate, answer, variation.answers_repeats_alike)


@check(points=1, given=plain(dtype=torch.float64), answer=vary(variation.cast_to_single), draws=10)
def computes_in_double_precision(candidate: Candidate, draw: States, answer: Varied) -> str | None:
    """in float64 the answer is of float64, and the same as in float32

    fr: en float64, la réponse est en float64, et la même qu'en float32
    """
    return variation.agree_in_double(candidate, answer)


@check(points=3, given=masked(), answer=vary(variation.drop_mask))
def adds_masks_of_every_shape(candidate: Candidate, draw: States, answer: Varied) -> None:
    """additive masks (S, S), (B, 1, 1, S), (B, H, S, S) and the like all act, and change nothing else

    fr: les masques additifs (S, S), (B, 1, 1, S), (B, H, S, S) et autres agissent tous, et ne changent rien
    d'autre
    """
    variation.agree_in_variation(
        candidate,
        answer,
        variation.takes_the_mask_written_out,
        value_name=tr("the output under the mask"),
    )


@check(points=1, given=attended(least=2, scale=1000.0), draws=10)
def stays_finite_for_large_inputs(candidate: Candidate, draw: States) -> None:
    """for large inputs the output is finite

    fr: pour de grandes entrées la sortie reste finie
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    output = properties.first_tensor(module(draw.hidden_states))
    shaped(output, tuple(draw.hidden_states.shape))
    require(bool(output.isfinite().all()), tr("some values of the output are NaN or infinite"))
    alike(properties.first_tensor(module(draw.hidden_states)), output, tr("the output of the second call"))


@check(points=2, given=masked())
def sees_nothing_of_what_is_masked(candidate: Candidate, draw: States) -> None:
    """a position whose key is masked for all queries changes no other output

    fr: une position dont la clé est masquée pour toutes les requêtes ne change aucune autre sortie
    """
    x, module = draw.hidden_states, candidate.with_random_weights(draw.seed, **draw.config)
    mask = torch.zeros(x.shape[1])
    mask[-1] = NEGATIVE[0]
    mask = mask.expand(x.shape[0], 1, 1, -1).contiguous()
    changed = x.clone()
    changed[:, -1] += 1
    before, after = (properties.first_tensor(module(given, mask)) for given in (x, changed))
    shaped(before, tuple(x.shape))
    alike(after[:, :-1], before[:, :-1], tr("the output at the other positions"))
    alike(properties.first_tensor(module(x[:, :-1])), before[:, :-1], tr("the output without that position"))


@check(points=1, given=attended(least=2))
def knows_no_order(candidate: Candidate, draw: States) -> None:
    """without a mask every position sees all others, and another order gives the outputs in that order

    fr: sans masque chaque position voit toutes les autres, et un autre ordre donne les sorties dans cet ordre
    """
    x, module = draw.hidden_states, candidate.with_random_weights(draw.seed, **draw.config)
    output = properties.first_tensor(module(x))
    shaped(output, tuple(x.shape))
    alike(
        properties.first_tensor(module(x.roll(1, 1))), output.roll(1, 1), tr("the output for another order")
    )
    for changed, seen in ((0, -1), (-1, 0)):
        other = x.clone()
        other[:, changed] += 1
        after = properties.first_tensor(module(other))
        require(
            after.shape != output.shape or not torch.equal(after[:, seen], output[:, seen]),
            tr(
                "the output at position {seen} does not depend on position {changed}: it is not attended to",
                seen=seen,
                changed=changed,
            ),
        )


@check(points=1, given=plain())
def treats_sequences_apart(candidate: Candidate, draw: States) -> None:
    """each sequence of a batch is answered as if it were alone, under its own mask

    fr: chaque séquence d'un lot est traitée comme si elle était seule, sous son propre masque
    """
    x, mask = draw.hidden_states, draw.attention_mask
    own = None if mask is None else mask.expand(x.shape[0], -1, -1, -1).contiguous()
    module = candidate.with_random_weights(draw.seed, **draw.config)
    output = properties.treats_sequences_apart(module, [x, own])
    shaped(output, tuple(x.shape))


@check(points=2, given=plain(), answer=reference_answer_with_gradients)
def teaches_every_parameter(candidate: Candidate, draw: States, answer: ReferenceAnswer) -> None:
    """gradients reach every parameter and the input; where the output is right, they are too

    fr: les gradients atteignent chaque paramètre et l'entrée ; là où la sortie est juste, ils le sont aussi
    """
    agree_gradients(answer, candidate.with_reference_weights(answer))


@check(points=1, given=indivisible(), draws=10, shape_only=True)
def refuses_a_width_it_cannot_split(candidate: Candidate, draw: Indivisible) -> None:
    """a hidden_size that num_heads does not divide is an error at construction

    fr: un hidden_size que num_heads ne divise pas est une erreur à la construction
    """
    properties.refuses(candidate, draw)


@check(points=1, given=plain(), on_its_word=True)
def leaves_its_arguments_alone(candidate: Candidate, draw: States) -> str | None:
    """the input and the mask keep their values, and the second call answers as the first

    fr: l'entrée et le masque gardent leurs valeurs, et le deuxième appel répond comme le premier
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    output = properties.first_tensor(module(*draw.arguments))
    shaped(output, tuple(draw.hidden_states.shape))
    return properties.leaves_alone(module, draw.arguments, "hidden_states", "attention_mask")


def diagnostic_draws(seed: int) -> list[States]:
    """Draws that tell the known mistakes apart."""
    config = {"hidden_size": 12, "num_heads": 3}
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
        given(config, 5, 3, 6, scale=math.sqrt(1000)),
        given(config, 6, 1, 4),
        given({"hidden_size": 8, "num_heads": 4}, 7, 2, 7, scale=0.05),
        given({"hidden_size": 10, "num_heads": 4}, 8, 1, 3),
    ]


options = Options(
    mask=MaskArgument(
        1, Sense.ADDS, check="sees_nothing_of_what_is_masked", shapes="adds_masks_of_every_shape"
    ),
    drawn=DrawnAttention(lambda x, _: States({"hidden_size": x.shape[-1], "num_heads": HEADS}, x), SEES_ALL),
    diagnostic_draws=diagnostic_draws,
)
