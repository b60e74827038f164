"""CausalMultiHeadSelfAttention(hidden_size, num_heads); forward(hidden_states, attention_mask=None)."""

from functools import partial

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api import mask_properties, properties, variation
from graders.check_api.check import Candidate, Module, alike, check, require, shaped, tensor
from graders.check_api.drawn_attention import CAUSAL, HEADS, DrawnAttention
from graders.check_api.mask_sense import MaskArgument, Sense
from graders.check_api.options import Options
from graders.check_api.reference_answer import (
    ReferenceAnswer,
    reference_answer,
    reference_answer_with_gradients,
)
from graders.check_api.reference_gradients import agree_gradients
from graders.check_api.strategies.attention_masks import allowed
from graders.check_api.strategies.lengths import LONG, of_length
from graders.check_api.strategies.module_inputs import Indivisible, States, attended, indivisible
from graders.check_api.strategies.tensors import normal
from graders.check_api.timed_call import Timed, flops_of_attention
from graders.check_api.variation import Varied, vary
from graders.language import tr


@check(points=1, given=st.one_of(attended(), attended(mask="allowed")), shape_only=True)
def keeps_the_shape(candidate: Candidate, draw: States) -> None:
    """(B, S, E) stays (B, S, E), and one tensor comes back

    fr: (B, S, E) reste (B, S, E), et un seul tenseur est rendu
    """
    output = tensor(candidate.construct(**draw.config)(*draw.arguments))
    shaped(output, tuple(draw.hidden_states.shape))


@check(points=1, given=attended(), shape_only=True)
def has_four_layers_with_bias(candidate: Candidate, draw: States) -> None:
    """four linear layers with bias: 4 (E * E + E) parameters

    fr: quatre couches linéaires avec biais : 4 (E * E + E) paramètres
    """
    width = draw.config["hidden_size"]
    properties.has_parameters(candidate.construct(**draw.config).parameters(), 4 * (width * width + width))


@check(points=11, given=attended(), answer=reference_answer, core=True)
def computes_what_the_reference_computes(candidate: Candidate, draw: States, answer: ReferenceAnswer) -> None:
    """under the same weights and without attention_mask, the output is the reference's

    fr: avec les mêmes poids et sans attention_mask, la sortie est celle de la référence
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
    variation.agree_in_variation(candidate, answer, variation.answers_its_start_alike)


@check(points=1, given=attended(dtype=torch.float64), answer=vary(variation.cast_to_single), draws=10)
def computes_in_double_precision(candidate: Candidate, draw: States, answer: Varied) -> str | None:
    """in float64 the answer is of float64, and the same as in float32

    fr: en float64, la réponse est en float64, et la même qu'en float32
    """
    return variation.agree_in_double(candidate, answer)


@check(points=3, given=attended(mask="allowed", least=2), answer=vary(variation.drop_mask))
def combines_the_masks(candidate: Candidate, draw: States, answer: Varied) -> None:
    """an attention_mask (B, 1, S, S) acts beside the causal mask: both must allow a key

    fr: un attention_mask (B, 1, S, S) agit à côté du masque causal : les deux doivent autoriser une clé
    """
    assert draw.attention_mask is not None

    def holds(mask: Tensor) -> None:
        def answered(candidate: Candidate, answer: ReferenceAnswer) -> Tensor:
            arguments = answer.draw.arguments[:1] + ([mask] if answer.draw.masked else [])
            return properties.first_tensor(candidate.with_reference_weights(answer)(*arguments))

        value_name = tr("the output under the mask")
        own = partial(_combines, mask=mask)
        variation.agree_in_variation(candidate, answer, own, answered, value_name)

    mask_properties.either_way(holds, draw.attention_mask)


def _combines(module: Module, draw: States, mask: Tensor) -> None:
    """Require that a mask acts, and that it may show what the causal mask hides, without effect."""
    x = draw.hidden_states
    output, plain = (properties.first_tensor(module(*given)) for given in ((x, mask), (x,)))
    hidden_too = properties.first_tensor(module(x, mask * torch.ones_like(mask).tril()))
    alike(hidden_too, output, tr("the output where the mask hides the future too"))
    hides = bool((mask.tril() != torch.ones_like(mask).tril()).any())
    require(not hides or not torch.equal(output, plain), tr("the mask changes nothing"))


@check(points=2, given=attended(least=2))
def hides_what_the_mask_hides(candidate: Candidate, draw: States) -> None:
    """what attention_mask hides from all other positions changes none of their outputs

    fr: ce qu'attention_mask cache à toutes les autres positions ne change aucune de leurs sorties
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    position = draw.seed % (draw.hidden_states.shape[1] - 1)
    changed = draw.hidden_states.clone()
    changed[:, position] += 1
    mask_properties.hides_what_is_masked(module, draw.hidden_states, changed, position)


@check(points=2, given=attended(least=2))
def stays_causal_under_a_mask(candidate: Candidate, draw: States) -> None:
    """an attention_mask that allows everything changes nothing: the future stays hidden

    fr: un attention_mask qui autorise tout ne change rien : le futur reste caché
    """
    module, x = candidate.with_random_weights(draw.seed, **draw.config), draw.hidden_states
    output = mask_properties.does_not_look_ahead(module, [x], _with_another_end(draw))
    module = candidate.with_random_weights(draw.seed, **draw.config)

    def holds(mask: Tensor) -> None:
        alike(properties.first_tensor(module(x, mask)), output, tr("the output under a mask of ones"))

    mask_properties.either_way(holds, torch.ones(x.shape[0], 1, x.shape[1], x.shape[1], dtype=torch.int64))


@check(points=2, given=attended(least=2))
def does_not_look_ahead(candidate: Candidate, draw: States) -> None:
    """a change at the last position changes the last output alone

    fr: un changement à la dernière position ne change que la dernière sortie
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    mask_properties.does_not_look_ahead(module, [draw.hidden_states], _with_another_end(draw))


@check(points=1, given=attended(least=2))
def looks_back_at_any_length(candidate: Candidate, draw: States) -> None:
    """the first positions alone give the same output, and the last output depends on the first position

    fr: les premières positions seules donnent la même sortie, et la dernière sortie dépend de la première
    position
    """
    module, x = candidate.with_random_weights(draw.seed, **draw.config), draw.hidden_states
    output = mask_properties.knows_no_future(module, x)
    changed = x.clone()
    changed[:, 0] += 1
    after = properties.first_tensor(module(changed))
    shaped(after, tuple(output.shape))
    require(
        not torch.equal(after[:, -1], output[:, -1]),
        tr("the last output does not depend on the first position"),
    )


@check(points=1, given=attended())
def treats_sequences_apart(candidate: Candidate, draw: States) -> None:
    """each sequence of a batch is answered as if it were alone

    fr: chaque séquence d'un lot reçoit la même réponse que seule
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    output = properties.treats_sequences_apart(module, [draw.hidden_states])
    shaped(output, tuple(draw.hidden_states.shape))


@check(points=2, given=attended(), answer=reference_answer_with_gradients)
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


@check(points=1, given=st.one_of(attended(), attended(mask="allowed")), on_its_word=True)
def leaves_its_arguments_alone(candidate: Candidate, draw: States) -> str | None:
    """hidden_states and attention_mask keep their values, and the second call answers as the first

    fr: hidden_states et attention_mask gardent leurs valeurs, et le second appel répond comme le premier
    """
    module, x = candidate.with_random_weights(draw.seed, **draw.config), draw.hidden_states
    properties.first_tensor(module(x))
    return properties.leaves_alone(module, draw.arguments, "hidden_states", "attention_mask")


def _with_another_end(draw: States) -> Tensor:
    changed = draw.hidden_states.clone()
    changed[:, -1] += normal(*changed[:, -1].shape, seed=draw.seed + 1)
    return changed


def diagnostic_draws(seed: int) -> list[States]:
    """Draws that tell the known mistakes apart; the first three share their configuration."""
    usual, square = {"hidden_size": 12, "num_heads": 3}, {"hidden_size": 16, "num_heads": 4}
    sizes = [
        (usual, 2, 5, 1.0, None),
        (usual, 2, 5, 1.0, torch.int64),
        (usual, 2, 5, 1.0, torch.float64),
        (usual, 2, 9, 1.0, torch.int64),
        (square, 4, 4, 0.05, None),
        (square, 1, 6, 30.0, None),
        (square, 1, 1, 1.0, None),
        ({"hidden_size": 10, "num_heads": 4}, 1, 3, 1.0, None),
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


def timed(length: int, heads: int = 2, batch: int = 1) -> Timed:
    """Hidden states (B, S, E) with E = 64."""
    flops = flops_of_attention(batch, length, 64, causal=True, projections=4)
    return Timed(((batch, length, 64),), {"hidden_size": 64, "num_heads": heads}, flops)


class Fused(torch.nn.Module):
    """The same with PyTorch's fused attention: neither the mask nor all weights are in memory at once."""

    def __init__(self, hidden_size: int, num_heads: int) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.query, self.key, self.value, self.out = (
            torch.nn.Linear(hidden_size, hidden_size) for _ in range(4)
        )

    def forward(self, x: Tensor) -> Tensor:
        """(B, S, E) -> (B, S, E)."""
        parts = (layer(x).unflatten(-1, (self.num_heads, -1)) for layer in (self.query, self.key, self.value))
        Q, K, V = (part.transpose(1, 2) for part in parts)
        together = torch.nn.functional.scaled_dot_product_attention(Q, K, V, is_causal=True)
        return self.out(together.transpose(1, 2).flatten(2))  # type: ignore[no-any-return]


options = Options(
    mask=MaskArgument(1, Sense.ONE_ALLOWS, "hides_what_the_mask_hides", shapes="hides_what_the_mask_hides"),
    drawn=DrawnAttention(lambda x, _: States({"hidden_size": x.shape[-1], "num_heads": HEADS}, x), CAUSAL),
    diagnostic_draws=diagnostic_draws,
    timed=timed,
)
