"""CausalMultiHeadSelfAttention(hidden_size, num_heads); forward(hidden_states, attention_mask=None)."""

from functools import partial

import torch
from torch import Tensor

from graders.check_api import mask_properties, variation
from graders.check_api.check import Candidate, Module, alike, check, require
from graders.check_api.drawn_attention import CAUSAL, HEADS, DrawnAttention
from graders.check_api.mask_sense import MaskArgument, Sense
from graders.check_api.options import Options
from graders.check_api.parameter_counts import count_attention
from graders.check_api.properties import first_tensor
from graders.check_api.reference_answer import ReferenceAnswer
from graders.check_api.standard_checks.attention_checks import AttentionChecks, change_at
from graders.check_api.strategies.attention_masks import allowed
from graders.check_api.strategies.extremes import extremes
from graders.check_api.strategies.fed import Row, fixed
from graders.check_api.strategies.module_inputs import States, attended
from graders.check_api.timed_call import Timed, flops_of_attention
from graders.check_api.usual_sizes import heads_and_width, only_length
from graders.check_api.variation import Varied, vary
from graders.language import tr


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


SIZES = {"hidden_size": 12, "num_heads": 3}
options = Options(
    sizes=(
        *heads_and_width("num_heads", "hidden_size", "has_four_layers_with_bias", "hidden_states"),
        only_length("hidden_states", "looks_back_at_any_length"),
    ),
    mask=MaskArgument(1, Sense.ONE_ALLOWS, "hides_what_the_mask_hides", shapes="hides_what_the_mask_hides"),
    drawn=DrawnAttention(lambda x, _: States({"hidden_size": x.shape[-1], "num_heads": HEADS}, x), CAUSAL),
    timed=timed,
    diagnostic_draws=fixed(
        States,
        "hidden_size",
        SIZES,
        Row(3, 5),
        Row(2, 5, mask=allowed),
        Row(2, 5, mask=lambda *given: allowed(*given).double()),
        Row(2, 9, mask=allowed),
        Row(4, 4, {"hidden_size": 16, "num_heads": 4}, scale=0.05),
        Row(2, 6, {"hidden_size": 16, "num_heads": 4}, scale=30.0),
        Row(2, 2, {"hidden_size": 16, "num_heads": 4}),
        Row(2, 3, {"hidden_size": 10, "num_heads": 4}),
    ),
)
attention = AttentionChecks(attended, options)
either = attended() | attended(mask="allowed")

keeps_the_shape = attention.keeps_the_shape(points=1, given=either)
has_four_layers_with_bias = attention.has_parameters(
    lambda config: count_attention(config["hidden_size"]),
    points=1,
    says="""four linear layers with bias: 4 (E * E + E) parameters

    fr: quatre couches linéaires avec biais : 4 (E * E + E) paramètres
    """,
)
computes_what_the_reference_computes = attention.computes_what_the_reference_computes(
    points=11,
    says="""under the same weights and without attention_mask, the output is the reference's

    fr: avec les mêmes poids et sans attention_mask, la sortie est celle de la référence
    """,
)
answers_long_sequences = attention.answers_long_sequences(
    points=1,
    extremes=extremes(partial(fixed, States, "hidden_size", SIZES), "hidden_size", SIZES),
    otherwise=variation.answers_its_start_alike,
)
computes_in_double_precision = attention.computes_in_double_precision(points=1)


@check(points=3, given=attended(mask="allowed"), answer=vary(variation.drop_mask))
def combines_the_masks(candidate: Candidate, draw: States, answer: Varied) -> None:
    """an attention_mask (B, 1, S, S) acts beside the causal mask: both must allow a key

    fr: un attention_mask (B, 1, S, S) agit à côté du masque causal : les deux doivent autoriser une clé
    """
    assert draw.attention_mask is not None

    def require_under(mask: Tensor) -> None:
        def call(candidate: Candidate, answer: ReferenceAnswer) -> Tensor:
            arguments = answer.draw.arguments[:1] + ([mask] if answer.draw.masked else [])
            return first_tensor(candidate.with_reference_weights(answer)(*arguments))

        otherwise, says = partial(_combine, mask=mask), tr("the output under the mask")
        variation.agree_in_variation(candidate, answer, otherwise, call, says)

    mask_properties.either_way(require_under, draw.attention_mask)


def _combine(module: Module, draw: States, mask: Tensor) -> None:
    """Require that a mask acts, and that it may show what the causal mask hides, without effect."""
    x, whole = draw.hidden_states, torch.ones_like(mask).tril()
    output, plain = first_tensor(module(x, mask)), first_tensor(module(x))
    alike(first_tensor(module(x, mask * whole)), output, tr("the output where the mask hides the future too"))
    hides = not torch.equal(mask.tril(), whole)
    require(not hides or not torch.equal(output, plain), tr("the mask changes nothing"))


hides_what_the_mask_hides = attention.hides_what_the_mask_hides(points=2)


@check(points=2, given=attended(least=3))
def stays_causal_under_a_mask(candidate: Candidate, draw: States) -> None:
    """an attention_mask that allows everything changes nothing: the future stays hidden

    fr: un attention_mask qui autorise tout ne change rien : le futur reste caché
    """
    module, x = candidate.with_random_weights(draw.seed, **draw.config), draw.hidden_states
    output = mask_properties.knows_no_future_at_its_length(module, x, change_at(draw, -1))

    def require_under(mask: Tensor) -> None:
        alike(first_tensor(module(x, mask)), output, tr("the output under a mask of ones"))

    mask_properties.either_way(
        require_under, torch.ones(x.shape[0], 1, x.shape[1], x.shape[1], dtype=torch.int64)
    )


does_not_look_ahead = attention.does_not_look_ahead(points=2)
looks_back_at_any_length = attention.looks_back_at_any_length(points=1)
treats_sequences_apart = attention.treats_sequences_apart(points=1)
answers_the_smallest_sizes = attention.answers_the_smallest_sizes(
    "length", "num_heads", "hidden_size", points=0.5
)
teaches_every_parameter = attention.teaches_every_parameter(points=2)
refuses_a_width_it_cannot_split = attention.refuses_a_width_it_cannot_split(
    points=1,
    says="""a hidden_size that num_heads does not divide is an error at construction

    fr: un hidden_size que num_heads ne divise pas est une erreur à la construction
    """,
)
leaves_its_arguments_alone = attention.leaves_its_arguments_alone(points=1, given=either)
