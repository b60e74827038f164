"""RNN(input_size, hidden_size); forward(x, h0=None) -> (outputs, h): h_t = tanh(W_x x_t + W_h h_(t-1))."""

from typing import Any

import torch
from torch import Tensor

from graders.check_api import recurrent_properties, variation
from graders.check_api.check import Candidate, Module, check
from graders.check_api.compare import alike, require, shaped, tensor
from graders.check_api.options import Options
from graders.check_api.properties import first_tensor, parts
from graders.check_api.reference_answer import ReferenceAnswer, reference_answer
from graders.check_api.standard_checks.module_checks import ModuleChecks
from graders.check_api.strategies.extremes import extremes
from graders.check_api.strategies.fed import Row
from graders.check_api.strategies.recurrent import (
    Sequences,
    fixed_sequences,
    sequences,
    without_first_state,
)
from graders.check_api.usual_sizes import model_width
from graders.check_api.variation import Varied, vary
from graders.language import tr

SIZES = {"input_size": 5, "hidden_size": 7}
REMEMBERED = 5  # positions over which a change is looked for: over more, half precision may lose it


def place_of_outputs(answer: Any, x: Tensor) -> int:
    """The index of the outputs (B, S, H) in an answer: 1 where the last state comes first."""
    axes = [value.dim() if isinstance(value, Tensor) else 0 for value in parts(answer)]
    return int(len(axes) == 2 and axes[0] == 2 and axes[1] == 3)


def given_outputs(answer: Any, x: Tensor) -> Tensor:
    """The outputs in an answer, wherever they stand, as they are given."""
    return first_tensor(answer[1]) if place_of_outputs(answer, x) else first_tensor(answer)


def joined(answer: Any, x: Tensor) -> Any:
    """The answer, with the outputs as one tensor where they come as a list of the states: (B, S, H)."""
    states, *others = parts(answer) or [None]
    if not isinstance(states, list | tuple) or not all(isinstance(state, Tensor) for state in states):
        return answer
    if not states or {state.shape for state in states} != {states[0].shape}:
        return answer
    axis = int((len(states), *states[0].shape[:1]) == (x.shape[1], x.shape[0]))
    return (torch.stack([*states], axis), *others)


def outputs_of(answer: Any, x: Tensor) -> Tensor:
    """The outputs as (B, S, H): where they come as (S, B, H) or in a list, another check is about that."""
    answer = joined(answer, x)
    outputs = given_outputs(answer, x)
    batch, length = x.shape[:2]
    if outputs.dim() != x.dim() or outputs.shape[:2] != (length, batch):
        return outputs
    is_time_first = batch != length or _ends_with_the_last_row(answer, outputs)
    return outputs.transpose(0, 1) if is_time_first else outputs


def _ends_with_the_last_row(answer: Any, outputs: Tensor) -> bool:
    """Whether the last state is the last row of the outputs, as where they are (S, B, H), and no column."""
    states = [value for value in parts(answer) if isinstance(value, Tensor) and value is not outputs]
    return any(
        state.shape[-2:] == outputs.shape[1:]
        and torch.equal(state.reshape(outputs.shape[1:]), outputs[-1])
        and not torch.equal(state.reshape(outputs.shape[1:]), outputs[:, -1])
        for state in states
        if state.dim() > 1 and state.numel() == outputs[-1].numel()
    )


def shape_of_outputs(draw: Any) -> tuple[int, ...]:
    """(B, S, H)."""
    return (*draw.x.shape[:2], draw.config["hidden_size"])


def diagnostic_draws(seed: int) -> list[Sequences]:
    """Draws of fixed sizes in float64 that tell the known mistakes apart; two have a first state."""
    plain = fixed_sequences(SIZES, Row(3, 4), Row(2, 6), Row(4, 3), Row(2, 4, {"hidden_size": 3}))
    started = fixed_sequences(SIZES, Row(3, 4), Row(2, 5, {"input_size": 3}), started=True)
    large = fixed_sequences(SIZES, Row(2, 3, scale=5.0))
    return [*plain(seed), *started(seed + 4), *large(seed + 6)]


options = Options(
    sizes=(
        model_width("input_size", "has_two_layers", "x"),
        model_width("hidden_size", "has_two_layers", "h0"),
    ),
    diagnostic_draws=diagnostic_draws,
    read=outputs_of,
)
network = ModuleChecks(sequences, options, shape=shape_of_outputs)


@check(points=1, given=sequences(), shape_only=True)
def keeps_the_shape(candidate: Candidate, draw: Sequences) -> None:
    """the outputs have shape (B, S, H): a state for each position

    fr: les sorties sont de forme (B, S, H) : un état pour chaque position
    """
    answer = candidate.construct(**draw.config)(*draw.arguments)
    outputs = (parts(answer) or [answer])[place_of_outputs(answer, draw.x)]
    shaped(tensor(outputs), shape_of_outputs(draw))


@check(points=1, given=sequences(), shape_only=True)
def has_two_layers(candidate: Candidate, draw: Sequences) -> None:
    """the parameters are those of two linear layers, from I to H and from H to H, with one bias or two

    fr: les paramètres sont ceux de deux couches linéaires, de I vers H et de H vers H, avec un ou deux biais
    """
    recurrent_properties.has_gates(candidate, draw.config, gates=1)


computes_what_the_reference_computes = network.computes_what_the_reference_computes(
    points=13,
    says="""from a state of zeros and under the same weights, the outputs are the reference's

    fr: depuis un état nul et avec les mêmes poids, les sorties sont celles de la référence
    """,
)


@check(points=2, given=sequences())
def returns_the_last_state_too(candidate: Candidate, draw: Sequences) -> str | None:
    """after the outputs comes the state after the last position, (B, H)

    fr: après les sorties vient l'état d'après la dernière position, (B, H)
    """
    answer = candidate.with_random_weights(draw.seed, **draw.config)(*draw.arguments)
    require(
        len(parts(answer)) > 1, tr("the answer should be the pair (outputs, h): the last state is missing")
    )
    message = tr("the last state and the outputs are swapped: the answer should be (outputs, h)")
    require(place_of_outputs(answer, draw.x) == 0, message)
    outputs, last = outputs_of(answer, draw.x), first_tensor(answer[1])
    shaped(outputs, shape_of_outputs(draw))
    due = outputs[:, -1].detach()
    if tuple(last.shape) == (1, *due.shape):
        alike(last[0], due, tr("the last state"))
        return tr("remark: the last state has a first axis of size 1, as nn.RNN's has; (B, H) is due")
    alike(last, due, tr("the last state"))
    return None


@check(points=6, given=sequences(started=True), answer=vary(without_first_state, reference_answer))
def begins_from_the_state_that_it_is_given(candidate: Candidate, draw: Sequences, answer: Varied) -> None:
    """with h0, the outputs are the reference's: the sequence goes on from there

    fr: avec h0, les sorties sont celles de la référence : la séquence continue à partir de là
    """

    def require_another_output(module: Module, draw: Sequences) -> None:
        same = torch.equal(outputs_of(module(draw.x, draw.h0), draw.x), outputs_of(module(draw.x), draw.x))
        require(not same, tr("the outputs are the same whatever h0 is"))

    def answered(candidate: Candidate, answer: ReferenceAnswer) -> Tensor:
        arguments = answer.draw.arguments
        return outputs_of(candidate.with_reference_weights(answer)(*arguments), arguments[0])

    variation.agree_in_variation(candidate, answer, require_another_output, answered)


@check(points=6, given=sequences(least=3, most=REMEMBERED, alive=True))
def remembers_what_came_before(candidate: Candidate, draw: Sequences) -> None:
    """a change of the first position changes all outputs; one of the last changes the last output alone

    fr: un changement à la première position change toutes les sorties ; un changement à la dernière ne change
    que la dernière
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    recurrent_properties.remembers(lambda x: outputs_of(module(x), x), draw.x)


answers_long_sequences = network.answers_long_sequences(
    points=1,
    extremes=extremes(
        lambda *rows: fixed_sequences(SIZES, *rows), "input_size", {"input_size": 5, "hidden_size": 7}
    ),
    otherwise=recurrent_properties.outputs_start_alike(outputs_of),
)
computes_in_double_precision = network.computes_in_double_precision(
    points=1, kept_because="code that turns float64 away, or answers in half of it, fails here"
)
treats_sequences_apart = network.treats_sequences_apart(points=1)
answers_the_smallest_sizes = network.answers_the_smallest_sizes(
    "length", "input_size", "hidden_size", points=1
)
# In float64, whose steps are so small that none crosses the corner of a ReLU: then differences are slopes.
teaches_every_parameter = network.teaches_every_parameter(
    points=3, place=place_of_outputs, given=sequences(least=3, most=4, alive=True, dtype=torch.float64)
)
leaves_its_arguments_alone = network.leaves_its_arguments_alone(points=1)
