"""BertEncoder(num_layers, hidden_size, num_heads, intermediate_size): layers, one after another."""

from functools import partial
from typing import Any

import torch
from hypothesis import strategies as st

from graders.check_api.mask_sense import MaskArgument, Sense
from graders.check_api.options import Options
from graders.check_api.parameter_counts import count_layer
from graders.check_api.standard_checks.attention_checks import AttentionChecks
from graders.check_api.strategies.attention_masks import padding_added, scattered
from graders.check_api.strategies.extremes import extremes
from graders.check_api.strategies.fed import Row, fixed
from graders.check_api.strategies.module_inputs import States, attended
from graders.check_api.strategies.tensors import sizes, units
from graders.check_api.usual_sizes import heads_and_width, inner_width, number_of_parts
from graders.check_api.variants import GELUS

SIZES = {"num_layers": 2, "hidden_size": 12, "num_heads": 3, "intermediate_size": 20}
options = Options(
    activations=GELUS,
    mask=MaskArgument(
        1, Sense.ADDS, check="sees_nothing_of_what_is_masked", shapes="hands_the_mask_to_every_layer"
    ),
    sizes=(
        *heads_and_width("num_heads", "hidden_size", "has_the_parameters_of_all_layers", "hidden_states"),
        number_of_parts("num_layers", "has_the_parameters_of_all_layers"),
        inner_width("intermediate_size", "hidden_size", "has_the_parameters_of_all_layers"),
    ),
    diagnostic_draws=fixed(
        States,
        "hidden_size",
        SIZES,
        Row(3, 7),
        Row(2, 5, mask=padding_added),
        Row(2, 6, mask=scattered),
        Row(3, 6, {"num_layers": 3, "intermediate_size": 21}),
        Row(2, 4, {"num_layers": 1}, scale=0.05),
        Row(2, 7, {"num_layers": 3, "hidden_size": 8, "num_heads": 4, "intermediate_size": 2}, scale=30.0),
    ),
)
# Of width 4 and more, as for one layer.
encoders = partial(attended, narrowest=4, num_layers=sizes(2, 3), intermediate_size=units(8))
encoder = AttentionChecks(encoders, options)


def either(**options: Any) -> st.SearchStrategy[States]:
    """Encoders with and without a mask."""
    return encoders(**options) | encoders(mask="by_key", **options)


keeps_the_shape = encoder.keeps_the_shape(points=1, given=either())
has_the_parameters_of_all_layers = encoder.has_parameters(
    lambda config: config["num_layers"] * count_layer(config["hidden_size"], config["intermediate_size"]),
    points=2,
    says="""it has num_layers layers, each with parameters of its own

    fr: il a num_layers couches, chacune avec ses propres paramètres
    """,
)
computes_what_the_reference_computes = encoder.computes_what_the_reference_computes(
    points=8,
    says="""under the same weights, the output is the reference's: each layer gets what the one before gave

    fr: avec les mêmes poids, la sortie est celle de la référence : chaque couche reçoit la sortie de la
    précédente
    """,
)
answers_long_sequences = encoder.answers_long_sequences(
    points=1, extremes=extremes(partial(fixed, States, "hidden_size", SIZES), "hidden_size", SIZES)
)
computes_in_double_precision = encoder.computes_in_double_precision(
    points=1, given=either(dtype=torch.float64), draws=5
)
hands_the_mask_to_every_layer = encoder.takes_masks_of_every_shape(
    points=2,
    given=encoders(mask="additive"),
    says="""additive masks of several shapes act in every layer, and change nothing else

    fr: les masques additifs de plusieurs formes agissent dans chaque couche, et ne changent rien d'autre
    """,
)
sees_nothing_of_what_is_masked = encoder.ignores_what_is_masked(
    points=2,
    says="""through all layers, a position that is masked for all queries changes no other output

    fr: à travers toutes les couches, une position masquée pour toutes les requêtes ne change aucune autre
    sortie
    """,
)
knows_neither_order_nor_batch = encoder.knows_neither_order_nor_batch(points=1)
answers_the_smallest_sizes = encoder.answers_the_smallest_sizes("length", "num_heads", "num_layers", points=1)
teaches_every_layer = encoder.teaches_every_parameter(
    points=2,
    given=either(),
    says="""gradients reach every layer and the input; where the output is right, they are too

    fr: les gradients atteignent chaque couche et l'entrée ; là où la sortie est juste, ils le sont aussi
    """,
)
leaves_its_arguments_alone = encoder.leaves_its_arguments_alone(points=1, given=either())
