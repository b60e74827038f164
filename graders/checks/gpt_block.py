"""GPTBlock(hidden_size, num_heads, intermediate_size); forward(hidden_states, attention_mask=None)."""

from functools import partial

from graders.check_api import variation
from graders.check_api.mask_sense import MaskArgument, Sense
from graders.check_api.options import Options
from graders.check_api.parameter_counts import count_layer
from graders.check_api.standard_checks.attention_checks import AttentionChecks
from graders.check_api.strategies.attention_masks import allowed
from graders.check_api.strategies.extremes import extremes
from graders.check_api.strategies.fed import Row, fed, fixed
from graders.check_api.strategies.module_inputs import States, attended
from graders.check_api.strategies.tensors import units
from graders.check_api.usual_sizes import heads_and_width, inner_width, only_length

SIZES = {"hidden_size": 12, "num_heads": 3, "intermediate_size": 20}
options = Options(
    mask=MaskArgument(1, Sense.ONE_ALLOWS, "hides_what_the_mask_hides", shapes="hides_what_the_mask_hides"),
    sizes=(
        *heads_and_width("num_heads", "hidden_size", "has_the_parameters_of_its_parts", "hidden_states"),
        inner_width("intermediate_size", "hidden_size", "has_the_parameters_of_its_parts"),
        only_length("hidden_states", "answers_long_sequences"),
    ),
    diagnostic_draws=fixed(
        States,
        "hidden_size",
        SIZES,
        Row(3, 5),
        Row(2, 5, mask=allowed),
        Row(2, 5, mask=lambda *given: allowed(*given).double()),
        Row(2, 7, scale=0.05),
        Row(4, 4, {"hidden_size": 8, "num_heads": 4, "intermediate_size": 5}, mask=allowed),
        Row(2, 6, {"hidden_size": 8, "num_heads": 4, "intermediate_size": 5}, scale=30.0),
        Row(2, 3, {"hidden_size": 10, "num_heads": 4, "intermediate_size": 6}),
    ),
)
# Of width 4 and more: over one feature a norm gives a constant, over two only signs.
blocks = partial(attended, narrowest=4, intermediate_size=units())
block = AttentionChecks(blocks, options)

keeps_the_shape = block.keeps_the_shape(points=1, given=blocks() | blocks(mask="allowed"))
has_the_parameters_of_its_parts = block.has_parameters(
    lambda config: count_layer(config["hidden_size"], config["intermediate_size"]),
    points=1,
    says="""its parameters are those of the attention, the feed-forward network and two norms

    fr: ses paramètres sont ceux de l'attention, du réseau feed-forward et de deux normes
    """,
)
computes_what_the_reference_computes = block.computes_what_the_reference_computes(
    points=10,
    says="""under the same weights, the output is the reference's: post-norm, a norm after each sum

    fr: avec les mêmes poids, la sortie est celle de la référence : post-norm, une norme après chaque somme
    """,
)
answers_long_sequences = block.answers_long_sequences(
    points=1,
    extremes=extremes(partial(fixed, States, "hidden_size", SIZES), "hidden_size", SIZES),
    otherwise=variation.answers_its_start_alike,
)
computes_in_double_precision = block.computes_in_double_precision(points=1)
hides_what_the_mask_hides = block.hides_what_the_mask_hides(points=4)
does_not_look_ahead = block.does_not_look_ahead(
    points=2,
    starts=True,
    says="""later positions change no earlier output: the first positions alone give the same output

    fr: les positions ultérieures ne changent aucune sortie antérieure : un début seul reçoit la même réponse
    que dans le tout
    """,
)
treats_sequences_apart = block.treats_sequences_apart(points=1)
answers_the_smallest_sizes = block.answers_the_smallest_sizes("length", "num_heads", points=0.5)
teaches_every_parameter = block.teaches_every_parameter(points=2)
drops_in_training_only = block.drops_in_training_only(
    points=2, given=fed(States, hidden_size=32, num_heads=4, intermediate_size=16)(least=8, most=8)
)
leaves_its_arguments_alone = block.leaves_its_arguments_alone(
    points=1, given=blocks() | blocks(mask="allowed")
)
