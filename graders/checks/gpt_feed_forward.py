"""PositionwiseFeedForward(hidden_size, intermediate_size): fc1, GELU or ReLU, fc2, by position."""

from functools import partial

from graders.check_api.options import Options
from graders.check_api.parameter_counts import count_feed_forward
from graders.check_api.standard_checks.module_checks import ModuleChecks
from graders.check_api.strategies.extremes import extremes
from graders.check_api.strategies.fed import Row, fed, fixed
from graders.check_api.strategies.lengths import of_length
from graders.check_api.strategies.module_inputs import States
from graders.check_api.strategies.tensors import sizes, units
from graders.check_api.usual_sizes import inner_width, model_width

SIZES = {"hidden_size": 12, "intermediate_size": 20}
options = Options(
    other_names=("FeedFoward",),  # so it is spelt in the course's document on MiniGPT
    sizes=(
        model_width("hidden_size", "has_two_layers_with_bias", "hidden_states"),
        inner_width("intermediate_size", "hidden_size", "has_two_layers_with_bias"),
    ),
    two_layers=True,
    diagnostic_draws=fixed(
        States,
        "hidden_size",
        SIZES,
        Row(2, 5),
        Row(2, 5),
        Row(2, 5),
        Row(2, 7, scale=0.05),
        Row(3, 2, {"hidden_size": 8, "intermediate_size": 3}),
        Row(2, 4, {"hidden_size": 6, "intermediate_size": 10}, scale=30.0),
    ),
)
networks = fed(States, hidden_size=sizes(2, 6), intermediate_size=units())
network = ModuleChecks(
    networks,
    options,
    roomy=fed(States, hidden_size=8, intermediate_size=32)(),
)

keeps_the_shape = network.keeps_the_shape(
    points=1,
    kept_because="every wrong shape fails other checks too; here it is said to be one",
    at_length=of_length(networks),
)
has_two_layers_with_bias = network.has_parameters(
    lambda config: count_feed_forward(config["hidden_size"], config["intermediate_size"]),
    points=1,
    says="""two linear layers with bias: (E * F + F) + (F * E + E) parameters

    fr: deux couches linéaires avec biais : (E * F + F) + (F * E + E) paramètres
    """,
)
computes_what_the_reference_computes = network.computes_what_the_reference_computes(
    points=6,
    says="""under the same weights, the output is the reference's, with GELU or ReLU between the layers

    fr: avec les mêmes poids, la sortie est celle de la référence, avec GELU ou ReLU entre les couches
    """,
)
answers_extreme_sizes = network.answers_extreme_sizes(
    extremes(partial(fixed, States, "hidden_size", SIZES), "hidden_size", SIZES), points=1
)
computes_in_double_precision = network.computes_in_double_precision(points=1)
treats_positions_alike_and_apart = network.treats_positions_alike_and_apart(points=3)
answers_the_smallest_sizes = network.answers_the_smallest_sizes(
    "batch", "hidden_size", "intermediate_size", points=1
)
is_not_linear = network.is_not_linear(points=1)
teaches_every_parameter = network.teaches_every_parameter(points=2)
leaves_its_input_alone = network.leaves_its_arguments_alone(points=1)
