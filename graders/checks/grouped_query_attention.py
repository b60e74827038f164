"""GroupedQueryAttention(dim, num_heads, num_kv_heads): causal, rotary, without biases; forward(x)."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from hypothesis import strategies as st

from graders.check_api import variation
from graders.check_api.check import Candidate, Raised, Violation, check
from graders.check_api.options import Options
from graders.check_api.parameter_counts import count_grouped_attention
from graders.check_api.standard_checks.attention_checks import AttentionChecks
from graders.check_api.strategies.fed import Row, fixed
from graders.check_api.strategies.grouped_heads import AS_MANY, grouped, grouped_extremes
from graders.check_api.strategies.module_inputs import Input
from graders.language import tr

SIZES = {"dim": 24, "num_heads": 6, "num_kv_heads": 2}
draws_of = partial(fixed, Input, "dim", SIZES)
options = Options(
    diagnostic_draws=draws_of(
        *(Row(3, 5), Row(2, 7), Row(2, 9)),
        Row(2, 4, {"dim": 12, "num_kv_heads": 3}, scale=0.05),
        Row(2, 6, {"dim": 16, "num_heads": 4, "num_kv_heads": 4}),
        Row(2, 3, {"dim": 16, "num_heads": 4, "num_kv_heads": 1}, scale=30.0),
        Row(2, 3, {"dim": 18, "num_heads": 4, "num_kv_heads": 2}),
        Row(2, 3, {"dim": 24, "num_heads": 6, "num_kv_heads": 4}),
    ),
)
attention = AttentionChecks(partial(grouped, most=5), options)

keeps_the_shape = attention.keeps_the_shape(points=0.5)
has_four_layers_without_bias = attention.has_parameters(
    lambda config: count_grouped_attention(**config),
    points=1.5,
    says="""four linear layers without bias, two of which make the fewer heads of keys and values

    fr: quatre couches linéaires sans biais, dont deux font les têtes moins nombreuses de clés et de valeurs
    """,
)
computes_what_the_reference_computes = attention.computes_what_the_reference_computes(
    points=9,
    says="""under the same weights, the output is the reference's: rotary positions, heads in groups, causal

    fr: avec les mêmes poids, la sortie est celle de la référence : positions rotatives, têtes en groupes,
    causale
    """,
)
answers_long_sequences = attention.answers_long_sequences(
    points=1, extremes=grouped_extremes(draws_of), otherwise=variation.answers_its_start_alike
)
computes_in_double_precision = attention.computes_in_double_precision(points=1)
does_not_look_ahead = attention.does_not_look_ahead(points=2)
looks_back_at_any_length = attention.looks_back_at_any_length(points=1)
knows_the_order_of_what_came_before = attention.knows_the_order_of_what_came_before(points=2)
treats_sequences_apart = attention.treats_sequences_apart(points=1)
answers_the_smallest_sizes = attention.answers_the_smallest_sizes(
    *("length", "num_heads", "num_kv_heads", AS_MANY),
    points=1,
    says="""one position, one head, one head of keys and values, and as many of these as heads are answered as
    others are

    fr: une position, une tête, une tête de clés et de valeurs, et autant de celles-ci que de têtes sont
    traitées comme le reste
    """,
)
teaches_every_parameter = attention.teaches_every_parameter(points=2)


@dataclass(frozen=True)
class Heads:
    """A width, a number of heads and a number of heads of keys and values, which may not fit one another."""

    dim: int
    num_heads: int
    num_kv_heads: int


@st.composite
def unfit(draw: st.DrawFn) -> Heads:
    """Heads that do not divide the width, or heads of keys and values that do not divide the heads."""
    heads = draw(st.sampled_from([4, 6]))
    kv_heads = draw(st.integers(2, heads - 1))
    if heads % kv_heads:
        return Heads(4 * heads, heads, kv_heads)
    return Heads(4 * heads + draw(st.integers(1, heads - 1)), heads, kv_heads)


FIXED = (lambda _: Heads(24, 4, 3), lambda _: Heads(18, 4, 2))


@check(points=1, given=unfit(), fixed=FIXED, shape_only=True)
def refuses_heads_that_do_not_fit(candidate: Candidate, draw: Heads) -> None:
    """an E that H does not divide, and an H that G does not divide, are errors at construction

    fr: un E que H ne divise pas, et un H que G ne divise pas, sont des erreurs à la construction
    """
    given: Any = (draw.dim, draw.num_heads, draw.num_kv_heads)
    try:
        candidate.construct(*given)
    except Raised:
        candidate.construct(draw.num_heads * 4, draw.num_heads, 2)
        return
    raise Violation(
        tr(
            "a width of {width} with {heads} heads and {kv_heads} of keys should raise, but does not",
            width=draw.dim,
            heads=draw.num_heads,
            kv_heads=draw.num_kv_heads,
        )
    )


leaves_its_argument_alone = attention.leaves_its_arguments_alone(points=0.5)
