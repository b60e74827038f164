"""MultiHeadSelfAttention(hidden_size, num_heads); (B, S, E) and an additive mask -> (B, S, E)."""

import math
from functools import partial
from typing import Any

import torch
from hypothesis import strategies as st

from graders.check_api.check import Candidate, alike, check, require, shaped
from graders.check_api.drawn_attention import HEADS, SEES_ALL, DrawnAttention
from graders.check_api.mask_sense import MaskArgument, Sense
from graders.check_api.options import Options
from graders.check_api.parameter_counts import count_attention
from graders.check_api.properties import first_tensor
from graders.check_api.standard_checks.attention_checks import AttentionChecks
from graders.check_api.strategies.attention_masks import padding_added, scattered
from graders.check_api.strategies.extremes import extremes
from graders.check_api.strategies.fed import Row, fixed
from graders.check_api.strategies.module_inputs import States, attended
from graders.check_api.usual_sizes import heads_and_width
from graders.language import tr

SIZES = {"hidden_size": 12, "num_heads": 3}
options = Options(
    sizes=(*heads_and_width("num_heads", "hidden_size", "has_four_layers_with_bias", "hidden_states"),),
    mask=MaskArgument(
        1, Sense.ADDS, check="sees_nothing_of_what_is_masked", shapes="adds_masks_of_every_shape"
    ),
    drawn=DrawnAttention(lambda x, _: States({"hidden_size": x.shape[-1], "num_heads": HEADS}, x), SEES_ALL),
    diagnostic_draws=fixed(
        States,
        "hidden_size",
        SIZES,
        Row(2, 5),
        Row(2, 5, mask=padding_added),
        Row(2, 5, mask=scattered),
        Row(3, 6, scale=math.sqrt(1000)),
        Row(1, 4),  # on which code for one sequence does not raise
        Row(2, 7, {"hidden_size": 8, "num_heads": 4}, scale=0.05),
        Row(2, 3, {"hidden_size": 10, "num_heads": 4}),
    ),
)
attention = AttentionChecks(attended, options)


def either(**options: Any) -> st.SearchStrategy[States]:
    """Hidden states without a mask, or with a mask (B, 1, 1, S) for all heads and queries."""
    return attended(**options) | attended(mask="by_key", **options)


keeps_the_shape = attention.keeps_the_shape(points=1, given=either())
has_four_layers_with_bias = attention.has_parameters(
    lambda config: count_attention(config["hidden_size"]),
    points=1,
    says="""four linear layers with bias: 4 (E * E + E) parameters

    fr: quatre couches linéaires avec biais : 4 (E * E + E) paramètres
    """,
)
computes_what_the_reference_computes = attention.computes_what_the_reference_computes(points=10)
answers_long_sequences = attention.answers_long_sequences(
    points=1, extremes=extremes(partial(fixed, States, "hidden_size", SIZES), "hidden_size", SIZES)
)
computes_in_double_precision = attention.computes_in_double_precision(
    points=1, given=either(dtype=torch.float64)
)
adds_masks_of_every_shape = attention.takes_masks_of_every_shape(
    points=3,
    given=attended(mask="additive") | attended(mask="by_key"),
    says="""additive masks (S, S), (B, 1, 1, S), (B, H, S, S) and the like all act, and change nothing else

    fr: les masques additifs (S, S), (B, 1, 1, S), (B, H, S, S) et autres agissent tous, et ne changent rien
    d'autre
    """,
)


@check(points=1, given=attended(scale=1000.0))
def stays_finite_for_large_inputs(candidate: Candidate, draw: States) -> None:
    """for large inputs the output is finite

    fr: pour de grandes entrées la sortie reste finie
    """
    x, module = draw.hidden_states, candidate.with_random_weights(draw.seed, **draw.config)
    output = first_tensor(module(x))
    shaped(output, tuple(x.shape))
    require(bool(output.isfinite().all()), tr("some values of the output are NaN or infinite"))
    alike(first_tensor(module(x)), output, tr("the output of the second call"))


sees_nothing_of_what_is_masked = attention.ignores_what_is_masked(points=2)
knows_no_order = attention.knows_no_order(
    points=1,
    says="""without a mask every position sees all others, and another order gives the outputs in that order

    fr: sans masque chaque position voit toutes les autres, et un autre ordre donne les sorties dans cet ordre
    """,
)
treats_sequences_apart = attention.treats_sequences_apart(
    points=1,
    given=either(),
    says="""each sequence of a batch is answered as if it were alone, under its own mask

    fr: chaque séquence d'un lot est traitée comme si elle était seule, sous son propre masque
    """,
)
answers_the_smallest_sizes = attention.answers_the_smallest_sizes(
    "length", "num_heads", "hidden_size", points=0.5
)
teaches_every_parameter = attention.teaches_every_parameter(points=2, given=either())
refuses_a_width_it_cannot_split = attention.refuses_a_width_it_cannot_split(
    points=1,
    says="""a hidden_size that num_heads does not divide is an error at construction

    fr: un hidden_size que num_heads ne divise pas est une erreur à la construction
    """,
)
leaves_its_arguments_alone = attention.leaves_its_arguments_alone(points=1, given=either())
