"""LlamaBlock(dim, num_heads, num_kv_heads, hidden_dim): pre-norm, RMSNorm, causal; forward(x)."""

from functools import partial

from graders.check_api import variation
from graders.check_api.options import Options
from graders.check_api.parameter_counts import count_grouped_attention
from graders.check_api.standard_checks.attention_checks import AttentionChecks
from graders.check_api.strategies.fed import Row, fixed
from graders.check_api.strategies.grouped_heads import AS_MANY, grouped, grouped_extremes
from graders.check_api.strategies.module_inputs import Input
from graders.check_api.strategies.tensors import units
from graders.check_api.usual_sizes import heads_of_keys, inner_width

SIZES = {"dim": 24, "num_heads": 6, "num_kv_heads": 2, "hidden_dim": 20}
draws_of = partial(fixed, Input, "dim", SIZES)
options = Options(
    sizes=(
        inner_width("hidden_dim", "dim", "has_the_parameters_of_its_parts"),
        heads_of_keys("num_kv_heads", "num_heads", "has_the_parameters_of_its_parts"),
    ),
    diagnostic_draws=draws_of(
        *(Row(3, 5), Row(2, 7), Row(2, 9)),
        Row(2, 4, {"dim": 12, "num_kv_heads": 3, "hidden_dim": 7}, scale=0.05),
        Row(2, 6, {"dim": 16, "num_heads": 4, "num_kv_heads": 4}),
        Row(2, 3, {"dim": 16, "num_heads": 4, "num_kv_heads": 1}, scale=30.0),
    ),
)
blocks = partial(grouped, most=5, hidden_dim=units())
block = AttentionChecks(blocks, options)

keeps_the_shape = block.keeps_the_shape(points=1)


def count_block(dim: int, num_heads: int, num_kv_heads: int, hidden_dim: int) -> int:
    """The values of an attention, of a gated network and of two norms."""
    return count_grouped_attention(dim, num_heads, num_kv_heads) + 3 * dim * hidden_dim + 2 * dim


has_the_parameters_of_its_parts = block.has_parameters(
    lambda config: count_block(**config),
    points=1,
    says="""its parameters are those of the attention, the gated network and two norms

    fr: ses paramètres sont ceux de l'attention, du réseau à porte et de deux normes
    """,
)
computes_what_the_reference_computes = block.computes_what_the_reference_computes(
    points=9,
    says="""under the same weights, the output is the reference's: pre-norm, a norm before each part

    fr: avec les mêmes poids, la sortie est celle de la référence : pre-norm, une norme avant chaque partie
    """,
)
answers_long_sequences = block.answers_long_sequences(
    points=1,
    extremes=grouped_extremes(draws_of, hidden_dim=5),
    otherwise=variation.answers_its_start_alike,
)
computes_in_double_precision = block.computes_in_double_precision(points=1)
does_not_look_ahead = block.does_not_look_ahead(
    points=3,
    starts=True,
    says="""later positions change no earlier output: the first positions alone give the same output

    fr: les positions ultérieures ne changent aucune sortie antérieure : un début seul reçoit la même réponse
    que dans le tout
    """,
)
knows_the_order_of_what_came_before = block.knows_the_order_of_what_came_before(points=2)
normalises_small_inputs_too = block.normalises_small_inputs_too(points=2)
treats_sequences_apart = block.treats_sequences_apart(points=1)
answers_the_smallest_sizes = block.answers_the_smallest_sizes(
    *("length", "num_heads", "num_kv_heads", AS_MANY), points=0.5
)
teaches_every_parameter = block.teaches_every_parameter(points=2)
leaves_its_argument_alone = block.leaves_its_arguments_alone(points=1)
