"""FeedForward(embed_dim, ff_dim=None, dropout=0.1): linear1, GELU, dropout, linear2, by position."""

from functools import partial

import torch
from hypothesis import strategies as st

from graders.check_api import properties
from graders.check_api.check import Candidate, check
from graders.check_api.options import Options
from graders.check_api.parameter_counts import count_feed_forward
from graders.check_api.standard_checks.module_checks import ModuleChecks
from graders.check_api.strategies.extremes import extremes
from graders.check_api.strategies.fed import Row, fed, fixed
from graders.check_api.strategies.lengths import of_length
from graders.check_api.strategies.module_inputs import Input
from graders.check_api.strategies.tensors import sizes, units
from graders.check_api.usual_sizes import inner_width, model_width

DEFAULT = "is_four_times_as_wide_by_default"

SIZES = {"embed_dim": 6, "ff_dim": 20}
options = Options(
    other_names=("FeedFoward",),  # so it is spelt in the course's document on MiniGPT
    sizes=(
        model_width("embed_dim", "has_two_layers_with_bias", "x"),
        inner_width("ff_dim", "embed_dim", "has_two_layers_with_bias", default_check=DEFAULT),
    ),
    two_layers=True,
    diagnostic_draws=fixed(
        Input,
        "embed_dim",
        SIZES,
        Row(3, 5),
        Row(2, 4, scale=3.0),
        Row(2, 7, scale=0.05),
        Row(2, 4, {"ff_dim": None}),
        Row(2, 3, {"embed_dim": 10, "ff_dim": 7}),
        Row(2, 5, {"dropout": 0.0}),
        Row(2, 5, {"dropout": 0.5}),
    ),
)
# No dropout: where it acts at the wrong time, the check that is about it says so.
networks = fed(Input, embed_dim=sizes(2, 6), ff_dim=units(), dropout=0.0)
network = ModuleChecks(networks, options, roomy=fed(Input, embed_dim=8, ff_dim=32, dropout=0.0)())

keeps_the_shape = network.keeps_the_shape(points=1, at_length=of_length(networks))
computes_what_the_reference_computes = network.computes_what_the_reference_computes(
    points=9,
    says="""under the same weights, the output is the reference's (GELU, or ReLU as the course allows)

    fr: avec les mêmes poids, la sortie est celle de la référence (GELU, ou ReLU comme le cours le permet)
    """,
)
answers_extreme_sizes = network.answers_extreme_sizes(
    extremes(partial(fixed, Input, "embed_dim", {**SIZES, "dropout": 0.0}), "embed_dim", SIZES), points=1
)
computes_in_double_precision = network.computes_in_double_precision(points=1)
has_two_layers_with_bias = network.has_parameters(
    lambda config: count_feed_forward(config["embed_dim"], config["ff_dim"]),
    points=1,
    says="""two linear layers with bias: (E * F + F) + (F * E + E) parameters

    fr: deux couches linéaires avec biais : (E * F + F) + (F * E + E) paramètres
    """,
)


@check(
    points=1,
    given=sizes(2, 8).map(lambda width: Input({"embed_dim": width}, torch.ones(2, 2, width))),
    shape_only=True,
)
def is_four_times_as_wide_by_default(candidate: Candidate, draw: Input) -> None:
    """without ff_dim, the inner width is 4 * E

    fr: sans ff_dim, la largeur intérieure est 4 * E
    """
    width = draw.config["embed_dim"]
    properties.has_matrices(candidate.construct(width).parameters(), 2 * width * 4 * width)


treats_positions_alike_and_apart = network.treats_positions_alike_and_apart(points=3)
answers_the_smallest_sizes = network.answers_the_smallest_sizes("batch", "embed_dim", "ff_dim", points=1)
is_not_linear = network.is_not_linear(points=1)
teaches_every_parameter = network.teaches_every_parameter(points=2)
drops_in_training_only = network.drops_in_training_only(
    points=3,
    rate="dropout",
    given=fed(Input, embed_dim=16, ff_dim=64, dropout=st.sampled_from([0.5, 0.3]))(least=8, most=8),
    says="""dropout acts in training and at no other time, and a rate of 0 drops nothing

    fr: le dropout agit à l'entraînement et jamais ailleurs, et un taux de 0 n'efface rien
    """,
)
leaves_its_input_alone = network.leaves_its_arguments_alone(points=1)
