"""Which of the contract's arguments a student's constructor means by its own: tried instead of guessed.

The box says in how many ways names, meanings and places allow to bind them, the likely ones first. Each is
tried on a small draw until the code runs, has as many values in its matrices as the reference, and answers
in the shape that is due. What the box says may be false: it can choose among the ways, and checks judge
what it chose.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
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
    """What came of one way: the parameters' shapes, and the answer; None where the code raised.

    `ignores_an_input`: whether the answer stays the same where another input than the first is changed.
    """

    shapes: Mapping[str, Shape] | None = None
    answer: Any = None
    ignores_an_input: bool = False


Try = Callable[[int, BindingTrial], Tried]


def trial_of(answer: ReferenceAnswer) -> BindingTrial:
    """The trial that a reference's answer gives."""
    shapes = {name: tuple(value.shape) for name, value in answer.parameters.items()}
    outputs = tuple(tuple(accepted[0].exact.shape) for accepted in answer.outputs)
    draw = answer.draw
    return BindingTrial(dict(draw.config), draw.arguments, draw.dtype, count_values(shapes), outputs)


def in_single_precision(trial: BindingTrial) -> BindingTrial:
    """The same in float32, for code that makes tensors of that kind itself."""
    given = trial.arguments
    floats = [
        one.float() if isinstance(one, Tensor) and one.is_floating_point() else one for one in given or ()
    ]
    return replace(trial, arguments=None if given is None else floats, dtype=torch.float32)


def find_binding(ways: int, trials: Iterable[BindingTrial], try_way: Try) -> int:
    """The number of the first way that fits; where none does, of the one that fits most on the first draw.

    Where several fit equally there, as where two sizes of that draw are equal, the next draw decides.

    Args:
        ways: how many there are.
        trials: the draws; a further one counts where no way fits on those before.
        try_way: tries one; it may raise `ProcessLost`, which ends the search.
    """
    count = min(ways, MOST)
    seen: list[list[tuple[int, ...]]] = [[] for _ in range(count)]
    try:
        for trial in trials:
            for number in range(count):
                seen[number].append(_fits(try_way(number, trial), trial))
                if all(seen[number][-1]):
                    return number
    except ProcessLost:
        pass
    return max(range(count), key=lambda number: seen[number], default=0)


def _fits(tried: Tried, trial: BindingTrial) -> tuple[int, ...]:
    """How a way fits, in what it is judged by, the most important first.

    Whether its matrices have as many values as due, whether it answers in the shape that is due, whether all
    inputs count in its answer, and whether the code ran.
    """
    if tried.shapes is None:
        return 0, 0, 0, 0
    answer = next(_tensors(tried.answer), None)
    due = [_plain(shape) for shape in trial.outputs[:1]]
    right = answer is not None and (not due or _plain(tuple(answer.shape)) in due)
    same = trial.values is None or count_values(tried.shapes) == trial.values
    # The values weigh more: wrong code may raise as it should be bound, and run otherwise.
    ran = answer is not None or trial.arguments is None
    return int(same), int(right or trial.arguments is None), int(not tried.ignores_an_input), int(ran)


def with_other_input(arguments: Sequence[Any]) -> list[Any] | None:
    """The arguments of a call with other values in the second input; None where there is one alone."""
    inputs = [n for n, one in enumerate(arguments) if isinstance(one, Tensor) and one.is_floating_point()]
    if len(inputs) < 2:
        return None
    changed = list(arguments)
    changed[inputs[1]] = arguments[inputs[1]].flip(0, -1) + 1
    return changed


def same_answer(first: Any, second: Any) -> bool:
    """Whether two answers have the same values."""
    pairs = list(zip(_tensors(first), _tensors(second), strict=False))
    return bool(pairs) and all(one.shape == other.shape and torch.equal(one, other) for one, other in pairs)


def count_values(shapes: Mapping[str, Shape]) -> int:
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
