"""Head(n_embd, head_size, block_size, dropout=0.0); forward(x): (B, T, n_embd) -> (B, T, head_size)."""

from functools import partial

from graders.check_api.drawn_attention import CAUSAL, DrawnAttention
from graders.check_api.options import Options
from graders.check_api.standard_checks.attention_checks import AttentionChecks
from graders.check_api.strategies.extremes import extremes
from graders.check_api.strategies.fed import Row, fed, fixed
from graders.check_api.strategies.lengths import of_length
from graders.check_api.strategies.module_inputs import Input
from graders.check_api.strategies.tensors import sizes
from graders.check_api.usual_sizes import number_of_positions

SIZES = {"n_embd": 12, "head_size": 5, "block_size": 9, "dropout": 0.0}
options = Options(
    drawn=DrawnAttention(
        lambda x, _: Input(
            {"head_size": x.shape[-1] // 2, "n_embd": x.shape[-1], "block_size": x.shape[1]}, x
        ),
        CAUSAL,
    ),
    diagnostic_draws=fixed(
        Input,
        "n_embd",
        SIZES,
        Row(2, 7),
        Row(2, 9),
        Row(3, 4),
        Row(3, 6, {"dropout": 0.5}),
        Row(4, 4, {"head_size": 8}, scale=0.05),
        Row(2, 6, {"n_embd": 7, "head_size": 3}, scale=20.0),
        Row(2, 2, {"n_embd": 6, "head_size": 2, "block_size": 4, "dropout": None}),
        Row(2, 6, {"n_embd": 10, "head_size": 10, "block_size": 6, "dropout": None}),
    ),
    sizes=(number_of_positions("block_size", "looks_back_at_any_length", "x", is_bound=True),),
)
# The input sometimes fills the block.
heads = fed(
    Input, n_embd=sizes(2, 8), head_size=sizes(2, 6), block_size=lambda length: sizes(length + 1, length + 3)
)
head = AttentionChecks(heads, options, shape=lambda draw: (*draw.x.shape[:2], draw.config["head_size"]))

answers_with_the_width_of_the_head = head.keeps_the_shape(
    points=1,
    says="""(B, T, E) becomes (B, T, D), and one tensor comes back

    fr: (B, T, E) devient (B, T, D), et un seul tenseur est rendu
    """,
)
has_three_layers_without_bias = head.has_parameters(
    lambda config: 3 * config["n_embd"] * config["head_size"],
    points=1,
    says="""three linear layers without bias: 3 E * D parameters

    fr: trois couches linéaires sans biais : 3 E * D paramètres
    """,
)
computes_what_the_reference_computes = head.computes_what_the_reference_computes(points=8)
answers_extreme_sizes = head.answers_extreme_sizes(
    extremes(partial(fixed, Input, "n_embd", SIZES), "n_embd", SIZES), points=1
)
computes_in_double_precision = head.computes_in_double_precision(points=1)
does_not_look_ahead = head.does_not_look_ahead(points=2, at_length=of_length(heads))
looks_back_at_any_length = head.looks_back_at_any_length(points=2)
treats_sequences_apart = head.treats_sequences_apart(points=1)
answers_the_smallest_sizes = head.answers_the_smallest_sizes("length", "full", "head_size", points=1)
teaches_every_parameter = head.teaches_every_parameter(points=2)
drops_in_training_only = head.drops_in_training_only(
    points=1,
    rate="dropout",
    off=True,
    given=fed(Input, n_embd=16, head_size=12, block_size=8)(least=8, most=8),
    says="""dropout acts in training and at no other time, at the rate asked for, and by default not at all

    fr: le dropout agit à l'entraînement et à aucun autre moment, au taux demandé, et pas du tout par défaut
    """,
)
leaves_its_argument_alone = head.leaves_its_arguments_alone(points=1)
