"""MultiHead(num_heads, head_size, n_embd, block_size, dropout=0.0); forward(x): (B, T, E) -> (B, T, E)."""

from functools import partial

from graders.check_api.drawn_attention import CAUSAL, HEADS, DrawnAttention
from graders.check_api.options import Options
from graders.check_api.standard_checks.attention_checks import AttentionChecks
from graders.check_api.strategies.extremes import extremes
from graders.check_api.strategies.fed import Row, fed, fixed
from graders.check_api.strategies.lengths import of_length
from graders.check_api.strategies.module_inputs import Input
from graders.check_api.strategies.tensors import several, sizes
from graders.check_api.usual_sizes import head_width, number_of_positions

SIZES = {"num_heads": 3, "head_size": 4, "n_embd": 10, "block_size": 9, "dropout": 0.0}
options = Options(
    sizes=(
        head_width("head_size", "n_embd", "num_heads", "has_heads_and_a_projection", "x"),
        number_of_positions("block_size", "looks_back_at_any_length", "x", is_bound=True),
    ),
    drawn=DrawnAttention(
        lambda x, _: Input(
            {"num_heads": HEADS, "head_size": 8, "n_embd": x.shape[-1], "block_size": x.shape[1]}, x
        ),
        CAUSAL,
    ),
    twins=(("scaled_by_n_embd", "scaled_by_all_heads"),),  # where all heads together are as wide as the input
    diagnostic_draws=fixed(
        Input,
        "n_embd",
        SIZES,
        Row(2, 7),
        Row(2, 9),
        Row(3, 5),
        Row(3, 6, {"dropout": 0.5}),
        Row(2, 8, {"head_size": 2, "n_embd": 7}, scale=20.0),
        Row(2, 6, {"num_heads": 2, "head_size": 3, "n_embd": 6, "block_size": 6, "dropout": None}),
    ),
)
# The input sometimes fills the block.
heads = fed(
    Input,
    width="n_embd",
    num_heads=several(4),
    head_size=sizes(2, 5),
    n_embd=sizes(2, 8),
    block_size=lambda length: sizes(length + 1, length + 3),
)
together = AttentionChecks(heads, options)

answers_with_the_width_of_the_model = together.keeps_the_shape(
    points=1,
    says="""(B, T, E) stays (B, T, E), and one tensor comes back

    fr: (B, T, E) reste (B, T, E), et un seul tenseur est rendu
    """,
)
has_heads_and_a_projection = together.has_parameters(
    lambda config: (4 * config["num_heads"] * config["head_size"] + 1) * config["n_embd"],
    points=1,
    says="""each head has 3 E * D parameters of its own, and the projection H * D * E + E

    fr: chaque tête a 3 E * D paramètres à elle, et la projection H * D * E + E
    """,
)
computes_what_the_reference_computes = together.computes_what_the_reference_computes(points=8)
answers_extreme_sizes = together.answers_extreme_sizes(
    extremes(partial(fixed, Input, "n_embd", SIZES), "n_embd", SIZES, free_heads=True), points=1
)
computes_in_double_precision = together.computes_in_double_precision(points=1)
does_not_look_ahead = together.does_not_look_ahead(points=2, at_length=of_length(heads))
looks_back_at_any_length = together.looks_back_at_any_length(points=2)
treats_sequences_apart = together.treats_sequences_apart(points=1)
answers_the_smallest_sizes = together.answers_the_smallest_sizes(
    "length", "full", "num_heads", "head_size", points=1
)
teaches_every_parameter = together.teaches_every_parameter(points=2)
drops_in_training_only = together.drops_in_training_only(
    points=1,
    rate="dropout",
    off=True,
    given=fed(Input, width="n_embd", num_heads=3, head_size=5, n_embd=16, block_size=8)(least=8, most=8),
    says="""dropout acts in training and at no other time, at the rate asked for, and by default not at all

    fr: le dropout agit à l'entraînement et à aucun autre moment, au taux demandé, et pas du tout par défaut
    """,
)
leaves_its_argument_alone = together.leaves_its_arguments_alone(points=1)
