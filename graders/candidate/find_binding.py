"""Which of the contract's arguments a student's constructor means by its own: tried instead of guessed.

The box says in how many ways names, meanings and places allow to bind them, the likely ones first. Each is
tried on a small draw until the code runs, has as many values in its matrices as the reference, and answers
in the shape that is due. What the box says may be false: it can choose among the ways, and checks judge
what it chose.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from graders.candidate.parameter_mapping.mapping import Shape
from graders.check_api.reference_answer import ReferenceAnswer
from graders.sandbox.process_lost import ProcessLost

MOST = 24  # ways that are tried


@dataclass(frozen=True)
class BindingTrial:
    """A small draw on which ways to bind arguments are tried.

    Attributes:
        config: the contract's values.
        arguments: of a call; None where none is tried.
        dtype: of the module, so that it fits them.
        values: how many values the reference's matrices have; None where the architecture is free.
        outputs: the shapes that are due; () where they are not known.
    """

    config: Mapping[str, Any]
    arguments: Sequence[Any] | None = None
    dtype: torch.dtype | None = None
    values: int | None = None
    outputs: tuple[Shape, ...] = ()


@dataclass(frozen=True)
class Tried:
    """What came of one way: the parameters' shapes, and the answer; None where the code raised."""

    shapes: Mapping[str, Shape] | None = None
    answer: Any = None


Try = Callable[[int, BindingTrial], Tried]


def trial_of(answer: ReferenceAnswer) -> BindingTrial:
    """The trial that a reference's answer gives."""
    shapes = {name: tuple(value.shape) for name, value in answer.parameters.items()}
    outputs = tuple(tuple(accepted[0].exact.shape) for accepted in answer.outputs)
    draw = answer.draw
    return BindingTrial(dict(draw.config), draw.arguments, draw.dtype, _values(shapes), outputs)


def find_binding(ways: int, trial: BindingTrial, try_way: Try) -> int:
    """The number of the first way that fits; of those that fit less, the first that fits most.

    Args:
        ways: how many there are.
        trial: the draw.
        try_way: tries one; it may raise `ProcessLost`, which ends the search.
    """
    best, most = 0, (-1, -1)
    for number in range(min(ways, MOST)):
        try:
            fits = _fits(try_way(number, trial), trial)
        except ProcessLost:
            break
        if all(fits):
            return number
        if fits > most:
            best, most = number, fits
    return best


def _fits(tried: Tried, trial: BindingTrial) -> tuple[int, int]:
    """Whether its matrices have as many values as due, and whether it answers in the shape that is due."""
    if tried.shapes is None:
        return 0, 0
    answer = next(_tensors(tried.answer), None)
    due = [_plain(shape) for shape in trial.outputs[:1]]
    right = answer is not None and (not due or _plain(tuple(answer.shape)) in due)
    same = trial.values is None or _values(tried.shapes) == trial.values
    # The values weigh more: wrong code may raise as it should be bound, and run otherwise.
    return int(same), int(right or trial.arguments is None)


def _values(shapes: Mapping[str, Shape]) -> int:
    """The number of values in matrices: biases may be missing, and how many layers hold them is free."""
    return sum(math.prod(shape) for shape in shapes.values() if max(shape, default=1) < math.prod(shape))


def _plain(shape: Shape) -> Shape:
    """A shape without leading axes of size 1."""
    axes = list(shape)
    while len(axes) > 1 and axes[0] == 1:
        axes.pop(0)
    return tuple(axes)


def _tensors(answer: Any) -> Iterator[Tensor]:
    if isinstance(answer, Tensor):
        yield answer
    elif isinstance(answer, dict | list | tuple):
        for part in answer.values() if isinstance(answer, dict) else answer:
            yield from _tensors(part)
