"""Properties that the checks of recurrent networks and of their cells share."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor

from graders.check_api.candidate import Candidate, Module
from graders.check_api.compare import alike, require
from graders.check_api.properties import begins_like, first_tensor, has_parameters
from graders.check_api.strategies.module_inputs import Given
from graders.check_api.strategies.recurrent import StateInput
from graders.check_api.strategies.tensors import normal
from graders.language import tr

START = 6  # positions of the start of a long sequence
Outputs = Callable[[Any, Tensor], Tensor]


def has_gates(
    candidate: Candidate, config: Mapping[str, Any], gates: int, biases: tuple[int, ...] = ()
) -> None:
    """Require the parameters of so many gates: for each, a matrix for x and one for the state, and biases.

    Args:
        candidate: the student's class.
        config: `input_size` and `hidden_size`.
        gates: how many.
        biases: the accepted numbers of biases of all gates together; by default one or two for each.

    Raises:
        Violation: there are more or fewer.
    """
    inputs, hidden = config["input_size"], config["hidden_size"]
    parameters = candidate.construct(**config).parameters()
    matrices = gates * hidden * (inputs + hidden)
    count = sum(value.numel() for value in parameters.values())
    accepted = [matrices + number * hidden for number in biases or (2 * gates, gates)]
    if count not in accepted:
        has_parameters(parameters, accepted[0])


def remembers(outputs_of: Callable[[Tensor], Tensor], x: Tensor) -> None:
    """Require that the first position changes all outputs, and the last one none before it.

    Raises:
        Violation: it is not so.
    """
    outputs = outputs_of(x)
    begins_like(x, outputs)
    first, last = x.clone(), x.clone()
    first[:, 0] += 1
    last[:, -1] += 1
    # Of outputs without their last axis as well: they begin like x where as many features are as positions.
    # One sequence is enough: where a state is rounded, another may lose so small a change.
    changed = (outputs_of(first) != outputs).reshape(*x.shape[:2], -1).any(-1).any(0)
    for position in range(x.shape[1]):
        message = tr("the output at position {n} does not depend on the first position", n=position)
        require(bool(changed[position]), message)
    after = outputs_of(last)
    alike(after[:, :-1], outputs[:, :-1].detach(), tr("the outputs before a change"))
    message = tr("the last output does not depend on the last position")
    require(not torch.equal(after[:, -1], outputs[:, -1]), message)


def outputs_start_alike(outputs_of: Outputs) -> Callable[[Module, Given], None]:
    """Make a requirement: the start of a long sequence alone has the same outputs as in the whole."""

    def answers_alike(module: Module, draw: Given) -> None:
        x = draw.arguments[0]
        outputs, start = outputs_of(module(x), x), x[:, :START].contiguous()
        begins_like(x, outputs)
        value_name = tr("the output for the first {length} positions", length=START)
        alike(outputs_of(module(start), start), outputs[:, :START].detach(), value_name)

    return answers_alike


def shape_of_state(draw: Any) -> tuple[int, ...]:
    """(B, H), of a step of a cell."""
    return draw.x.shape[0], draw.config["hidden_size"]


def state_of(answer: Any, _x: Tensor) -> Tensor:
    """The state h' in the answer of a cell: the answer alone, or the first of several."""
    return first_tensor(answer)


def begins_with_zeros(candidate: Candidate, draw: StateInput) -> None:
    """Require that a step without states is one from states of zeros, and that states count.

    Raises:
        Violation: it is not so.
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    x, *states = draw.arguments
    without = first_tensor(module(x))
    from_zeros = first_tensor(module(x, *(torch.zeros_like(state) for state in states)))
    alike(without, from_zeros.detach(), tr("the state after a step without states"))
    message = tr("the states that are given change nothing")
    require(not torch.equal(first_tensor(module(*draw.arguments)), without), message)


def teaches_the_states(candidate: Candidate, draw: StateInput) -> None:
    """Require gradients that reach every state before the step.

    Raises:
        Violation: one is missing or zero.
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    upstream = normal(*shape_of_state(draw), seed=draw.seed + 7, dtype=draw.dtype)
    gradients = module.gradients(*draw.arguments, upstream=[upstream]).inputs
    for name, gradient in zip(draw.argument_names[1:], gradients[1:], strict=False):
        message = tr("no gradient reaches {name}: is something detached or never used?", name=name)
        require(gradient is not None and bool(gradient.any()), message)
