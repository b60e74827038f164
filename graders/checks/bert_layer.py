"""BertLayer(hidden_size, num_heads, intermediate_size): attention, feed-forward, each with sum and norm."""

from functools import partial

from graders.check_api.check import Candidate, alike, check, require, shaped
from graders.check_api.mask_sense import MaskArgument, Sense
from graders.check_api.options import Options
from graders.check_api.parameter_counts import count_layer
from graders.check_api.properties import first_tensor
from graders.check_api.standard_checks.attention_checks import AttentionChecks
from graders.check_api.strategies.attention_masks import padding_added, scattered
from graders.check_api.strategies.extremes import extremes
from graders.check_api.strategies.fed import Row, fed, fixed
from graders.check_api.strategies.module_inputs import States, attended
from graders.check_api.strategies.tensors import units
from graders.check_api.usual_sizes import heads_and_width, inner_width
from graders.check_api.variants import GELUS
from graders.language import tr

SIZES = {"hidden_size": 12, "num_heads": 3, "intermediate_size": 20}
options = Options(
    activations=GELUS,
    mask=MaskArgument(
        1, Sense.ADDS, check="sees_nothing_of_what_is_masked", shapes="hands_the_mask_to_the_attention"
    ),
    sizes=(
        *heads_and_width("num_heads", "hidden_size", "has_the_parameters_of_its_parts", "hidden_states"),
        inner_width("intermediate_size", "hidden_size", "has_the_parameters_of_its_parts"),
    ),
    diagnostic_draws=fixed(
        States,
        "hidden_size",
        SIZES,
        Row(2, 5),
        Row(2, 5, mask=padding_added),
        Row(2, 5, mask=scattered),
        Row(3, 6, scale=0.05),
        Row(2, 4, scale=30.0),
        Row(2, 7, {"hidden_size": 8, "num_heads": 4, "intermediate_size": 5}),
        Row(2, 3, {"hidden_size": 10, "num_heads": 4, "intermediate_size": 6}),
    ),
)
# Of width 4 and more: over one feature a norm gives a constant, over two only signs.
layers = partial(attended, narrowest=4, intermediate_size=units())
either = layers() | layers(mask="by_key")
layer = AttentionChecks(layers, options)

keeps_the_shape = layer.keeps_the_shape(points=1, given=either)
has_the_parameters_of_its_parts = layer.has_parameters(
    lambda config: count_layer(config["hidden_size"], config["intermediate_size"]),
    points=1,
    says="""its parameters are those of the attention, the feed-forward network and two norms

    fr: ses paramètres sont ceux de l'attention, du réseau feed-forward et de deux normes
    """,
)
computes_what_the_reference_computes = layer.computes_what_the_reference_computes(
    points=9,
    says="""under the same weights, the output is the reference's: post-norm, each part's output added to its
    input

    fr: avec les mêmes poids, la sortie est celle de la référence : post-norm, chaque partie ajoutée à son
    entrée
    """,
)
answers_long_sequences = layer.answers_long_sequences(
    points=1, extremes=extremes(partial(fixed, States, "hidden_size", SIZES), "hidden_size", SIZES)
)
computes_in_double_precision = layer.computes_in_double_precision(points=1)
hands_the_mask_to_the_attention = layer.takes_masks_of_every_shape(
    points=3,
    given=layers(mask="additive"),
    says="""additive masks of several shapes all act in the attention, and change nothing else

    fr: les masques additifs de plusieurs formes agissent tous dans l'attention, et ne changent rien d'autre
    """,
)
sees_nothing_of_what_is_masked = layer.ignores_what_is_masked(points=1)


@check(points=1, given=layers(scale=1e4))
def ends_with_a_norm(candidate: Candidate, draw: States) -> None:
    """however large the input is, the output is not: the last step is a norm

    fr: aussi grande que soit l'entrée, la sortie ne l'est pas : la dernière étape est une norme
    """
    x, module = draw.hidden_states, candidate.with_random_weights(draw.seed, **draw.config)
    output = first_tensor(module(x))
    shaped(output, tuple(x.shape))
    alike(first_tensor(module(x)), output, tr("the output of the second call"))
    # A norm's output is at most sqrt(E) times its gain and its bias, both near 1 here.
    require(bool((output.abs() < 100).all()), tr("large inputs give large outputs: is a norm the last step?"))


knows_neither_order_nor_batch = layer.knows_neither_order_nor_batch(points=1)
answers_the_smallest_sizes = layer.answers_the_smallest_sizes("length", "num_heads", points=0.5)
teaches_every_parameter = layer.teaches_every_parameter(points=2, given=either)
drops_in_training_only = layer.drops_in_training_only(
    points=2, given=fed(States, hidden_size=32, num_heads=4, intermediate_size=24)(least=8, most=8)
)
leaves_its_arguments_alone = layer.leaves_its_arguments_alone(points=1, given=either)
