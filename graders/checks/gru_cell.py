"""GRUCell(input_size, hidden_size); forward(x, h=None) -> h': gates r and z, the reset after the product."""

from functools import partial

from graders.check_api import recurrent_properties
from graders.check_api.check import Candidate, check
from graders.check_api.options import Options
from graders.check_api.standard_checks.module_checks import ModuleChecks
from graders.check_api.strategies.extremes import extremes
from graders.check_api.strategies.fed import Row
from graders.check_api.strategies.recurrent import StateInput, cell_inputs, fixed_cell_inputs
from graders.check_api.usual_sizes import model_width

SIZES = {"input_size": 5, "hidden_size": 7}
steps = partial(cell_inputs, StateInput)
fixed_steps = partial(fixed_cell_inputs, StateInput, SIZES)
other = {"input_size": 4, "hidden_size": 3}
rows = [Row(3, 1), Row(2, 1), Row(4, 1), Row(2, 1, other), Row(3, 1, scale=3.0), Row(2, 1, scale=0.3)]


def diagnostic_draws(seed: int) -> list[StateInput]:
    """Draws of fixed sizes in float64 that tell the known mistakes apart; the last has no state."""
    return [
        *fixed_steps(*rows)(seed),
        *fixed_cell_inputs(StateInput, SIZES, Row(2, 1, other), started=False)(seed + len(rows)),
    ]


options = Options(
    sizes=(
        model_width("input_size", "has_three_gates", "x"),
        model_width("hidden_size", "has_three_gates", "h"),
    ),
    diagnostic_draws=diagnostic_draws,
)
cell = ModuleChecks(steps, options, shape=recurrent_properties.shape_of_state, roomy=steps())

keeps_the_shape = cell.keeps_the_shape(
    points=1,
    says="""the new state has shape (B, H), and one tensor comes back

    fr: le nouvel état est de forme (B, H), et un seul tenseur est rendu
    """,
)


@check(points=1, given=steps(), shape_only=True)
def has_three_gates(candidate: Candidate, draw: StateInput) -> None:
    """the parameters are those of r, z and n: from I to H and from H to H, with two biases (r and z: or one)

    fr: les paramètres sont ceux de r, z et n : de I vers H et de H vers H, avec deux biais (r et z : ou un)
    """
    recurrent_properties.has_gates(candidate, draw.config, gates=3, biases=(6, 4))


computes_what_the_reference_computes = cell.computes_what_the_reference_computes(
    points=11,
    says="""under the same weights, the new state is the reference's

    fr: avec les mêmes poids, le nouvel état est celui de la référence
    """,
)


@check(points=5, given=steps())
def begins_with_zeros(candidate: Candidate, draw: StateInput) -> None:
    """without h, a step is made from zeros

    fr: sans h, le pas part de zéros
    """
    recurrent_properties.begins_with_zeros(candidate, draw)


answers_extreme_sizes = cell.answers_extreme_sizes(extremes(fixed_steps, "input_size", SIZES), points=1)
computes_in_double_precision = cell.computes_in_double_precision(
    points=1, kept_because="code that turns float64 away, or answers in half of it, fails here"
)
treats_sequences_apart = cell.treats_sequences_apart(
    points=1, kept_because="a norm or a mean over the batch is seen here"
)
answers_the_smallest_sizes = cell.answers_the_smallest_sizes("input_size", "hidden_size", points=1)
teaches_every_parameter = cell.teaches_every_parameter(points=3)


@check(points=2, given=steps())
def teaches_through_time(candidate: Candidate, draw: StateInput) -> None:
    """gradients reach the state before: what was long ago can be learned from

    fr: les gradients atteignent l'état d'avant : on peut apprendre de ce qui est loin dans le passé
    """
    recurrent_properties.teaches_the_states(candidate, draw)


leaves_its_arguments_alone = cell.leaves_its_arguments_alone(points=1)
