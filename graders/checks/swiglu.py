"""SwiGLU(dim, hidden_dim): down_proj(silu(gate_proj(x)) * up_proj(x)), without biases, by position."""

from functools import partial

from graders.check_api.options import Options
from graders.check_api.standard_checks.module_checks import ModuleChecks
from graders.check_api.strategies.extremes import extremes
from graders.check_api.strategies.fed import Row, fed, fixed
from graders.check_api.strategies.lengths import of_length
from graders.check_api.strategies.module_inputs import Input
from graders.check_api.strategies.tensors import sizes, units
from graders.check_api.usual_sizes import inner_width, model_width

SIZES = {"dim": 12, "hidden_dim": 20}
options = Options(
    sizes=(
        model_width("dim", "has_three_layers_without_bias", "x"),
        inner_width("hidden_dim", "dim", "has_three_layers_without_bias"),
    ),
    diagnostic_draws=fixed(
        Input,
        "dim",
        SIZES,
        *(Row(2, 5), Row(2, 5), Row(2, 5)),
        Row(2, 7, scale=0.05),
        Row(3, 2, {"dim": 8, "hidden_dim": 5}),
        Row(2, 4, {"dim": 6, "hidden_dim": 10}, scale=30.0),
    ),
)
networks = fed(Input, dim=sizes(2, 6), hidden_dim=units())
network = ModuleChecks(networks, options, roomy=fed(Input, dim=8, hidden_dim=32)())

keeps_the_shape = network.keeps_the_shape(
    points=1,
    kept_because="every wrong shape fails other checks too; here it is said to be one",
    at_length=of_length(networks),
)
has_three_layers_without_bias = network.has_parameters(
    lambda config: 3 * config["dim"] * config["hidden_dim"],
    points=1.5,
    says="""three linear layers without bias: 3 * E * F parameters

    fr: trois couches linéaires sans biais : 3 * E * F paramètres
    """,
)
computes_what_the_reference_computes = network.computes_what_the_reference_computes(
    points=6,
    says="""under the same weights, the output is the reference's: SiLU of the gate, times what passes it

    fr: avec les mêmes poids, la sortie est celle de la référence : SiLU de la porte, fois ce qui la traverse
    """,
)
answers_extreme_sizes = network.answers_extreme_sizes(
    extremes(partial(fixed, Input, "dim", SIZES), "dim", SIZES), points=1
)
computes_in_double_precision = network.computes_in_double_precision(points=1)
treats_positions_alike_and_apart = network.treats_positions_alike_and_apart(points=2)
answers_the_smallest_sizes = network.answers_the_smallest_sizes("batch", "dim", "hidden_dim", points=0.5)
is_not_linear = network.is_not_linear(points=1)
teaches_every_parameter = network.teaches_every_parameter(points=2)
leaves_its_input_alone = network.leaves_its_arguments_alone(points=1)
