"""LSTMCell(input_size, hidden_size); forward(x, h=None, c=None) -> (h', c'): gates i, f, g and o."""

from functools import partial

import torch

from graders.check_api import recurrent_properties
from graders.check_api.check import Candidate, check
from graders.check_api.compare import Violation, alike, require, shaped, tensor
from graders.check_api.options import Options
from graders.check_api.properties import first_tensor, parts
from graders.check_api.reference_answer import ReferenceAnswer, reference_answer
from graders.check_api.standard_checks.module_checks import ModuleChecks
from graders.check_api.strategies.extremes import extremes
from graders.check_api.strategies.fed import Row
from graders.check_api.strategies.recurrent import CellInput, StateInput, cell_inputs, fixed_cell_inputs
from graders.check_api.usual_sizes import model_width
from graders.language import tr

SIZES = {"input_size": 5, "hidden_size": 7}
steps = partial(cell_inputs, CellInput)
fixed_steps = partial(fixed_cell_inputs, CellInput, SIZES)
other = {"input_size": 4, "hidden_size": 3}
rows = [Row(3, 1), Row(2, 1), Row(4, 1), Row(2, 1, other), Row(3, 1, scale=3.0), Row(2, 1, scale=0.3)]


def diagnostic_draws(seed: int) -> list[StateInput]:
    """Draws of fixed sizes in float64 that tell the known mistakes apart; the last has no states."""
    return [
        *fixed_steps(*rows)(seed),
        *fixed_cell_inputs(CellInput, SIZES, Row(2, 1, other), started=False)(seed + len(rows)),
    ]


options = Options(
    sizes=(
        model_width("input_size", "has_four_gates", "x"),
        model_width("hidden_size", "has_four_gates", "h c"),
    ),
    diagnostic_draws=diagnostic_draws,
    read=recurrent_properties.state_of,
)
cell = ModuleChecks(steps, options, shape=recurrent_properties.shape_of_state, roomy=steps())

keeps_the_shape = cell.keeps_the_shape(
    points=1,
    kept_because="every wrong shape fails other checks too; here it is said to be one",
    says="""the new state has shape (B, H)

    fr: le nouvel état est de forme (B, H)
    """,
)


@check(points=1, given=steps(), shape_only=True)
def has_four_gates(candidate: Candidate, draw: CellInput) -> None:
    """the parameters are those of four gates: from I to H and from H to H, with one bias or two

    fr: les paramètres sont ceux de quatre portes : de I vers H et de H vers H, avec un ou deux biais
    """
    recurrent_properties.has_gates(candidate, draw.config, gates=4)


computes_what_the_reference_computes = cell.computes_what_the_reference_computes(
    points=12,
    says="""under the same weights, the state h' is the reference's

    fr: avec les mêmes poids, l'état h' est celui de la référence
    """,
)


@check(points=5, given=steps(), answer=reference_answer)
def returns_the_new_cell_too(candidate: Candidate, draw: CellInput, answer: ReferenceAnswer) -> None:
    """after h' comes the new cell c', which is the reference's

    fr: après h' vient la nouvelle cellule c', qui est celle de la référence
    """
    module = candidate.with_reference_weights(answer)
    pair = module(*draw.arguments)
    message = tr("the answer should be the pair (h', c'): the new cell is missing")
    require(len(parts(pair)) > 1, message)
    state, new = first_tensor(pair), tensor(parts(pair)[1], tr("the new cell"))
    try:
        answer.agree(new, 1, value_name=tr("the new cell"))
    except Violation:
        if answer.accepts(state):
            raise
        # Where h' is wrong already, c' must be a cell of some kind: linear in the one before.
        shaped(new, recurrent_properties.shape_of_state(draw), tr("the new cell"))
        assert draw.h is not None and draw.c is not None
        of_zero, of_two = (tensor(parts(module(draw.x, draw.h, n * draw.c))[1]) for n in (0, 2))
        alike(of_two, (2 * new - of_zero).detach(), tr("the new cell for twice the cell before"))
        require(not torch.equal(of_two, new), tr("the new cell does not depend on the cell before"))


@check(points=5, given=steps())
def begins_with_zeros(candidate: Candidate, draw: CellInput) -> None:
    """without h and c, a step is made from zeros

    fr: sans h ni c, le pas part de zéros
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


@check(points=1, given=steps())
def teaches_through_time(candidate: Candidate, draw: CellInput) -> None:
    """gradients reach the states before: what was long ago can be learned from

    fr: les gradients atteignent les états d'avant : on peut apprendre de ce qui est loin dans le passé
    """
    recurrent_properties.teaches_the_states(candidate, draw)


leaves_its_arguments_alone = cell.leaves_its_arguments_alone(points=1)
