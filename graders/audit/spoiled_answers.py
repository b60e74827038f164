"""Answers that are wrong whatever the exercise is: the reference, with its answer replaced.

Empty answers have the right shape and compute nothing. Odd answers are values that a check may not expect:
each check must refuse them by a sentence of its own.
"""

import copy
from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor

from graders.course.exercise import Exercise
from graders.course.reference import reference
from softmark_worker.lent_layers import KINDS
from softmark_worker.wire import Other

PLAIN = (Tensor, tuple, list, int, float, str, type(None))  # arguments that do not count their uses
ODD: dict[str, Any] = {
    "None": None,
    "a text": "attention",
    "True": True,
    "the int 3": 3,
    "an int of 200 bits": 1 << 200,
    "the float nan": float("nan"),
    "the float inf": float("inf"),
    "an empty tensor": torch.empty(0),
    "a scalar tensor": torch.tensor(1.0),
    "a row": torch.ones(3),
    "a matrix": torch.ones(2, 2),
    "a tensor of six axes": torch.ones(1, 1, 1, 1, 1, 2),
    "a tensor of bools": torch.ones(2, 2, dtype=torch.bool),
    "a tensor of integers": torch.ones(2, 3, 4, dtype=torch.int64),
    "a tensor of nan": torch.full((2, 3, 4), torch.nan),
    "a tensor in float16": torch.ones(1, 2, 2, dtype=torch.float16),
    "a NumPy array": Other("numpy.ndarray", "array"),
    "an empty tuple": (),
    "a pair of tensors": (torch.ones(2), torch.ones(3, 3)),
    "a pair of None": (None, None),
    "a list of tensors": [torch.ones(1, 1, 1), torch.ones(1, 1, 1, 1)],
    "a tuple of ints": (1, 2, 3),
    "a dictionary": {"output": torch.ones(1)},
}


def empty_answers(exercise: Exercise) -> dict[str, Callable[[], Any]]:
    """Answers of the right shape that compute nothing: how to make each, by name."""
    right = reference(exercise.name, exercise.symbol)
    return {name: partial(replace_answer, right, partial(_empty, fill)) for name, fill in _FILLS.items()}


def odd_answers(exercise: Exercise) -> dict[str, Callable[[], Any]]:
    """Answers of another type or form than any exercise asks for: how to make each, by name."""
    right = reference(exercise.name, exercise.symbol)
    return {name: partial(_give_instead, right, value) for name, value in ODD.items()}


def replace_answer(right: Any, change: Callable[[Any, Any], Any]) -> Any:
    """The reference with `change(answer, argument)` in the place of its answer; its parameters stay."""
    if isinstance(right, type):
        forward = right.forward  # type: ignore[attr-defined]
        return type(right.__name__, (right,), {"forward": lambda self, *a: change(forward(self, *a), a[0])})
    return lambda *args: change(
        right(*map(_as_copy, args)), next((a for a in args if isinstance(a, Tensor)), args[0])
    )


def _as_copy(argument: Any) -> Any:
    """A copy of a layer that is lent: what the reference would do to it is its answer too."""
    return copy.deepcopy(argument) if isinstance(argument, tuple(KINDS.values())) else argument


def _give_instead(right: Any, value: Any) -> Any:
    """The reference with a value in the place of its answer, which is computed only where a model is lent."""
    if isinstance(right, type):
        return type(right.__name__, (right,), {"forward": lambda *_: value})
    given = replace_answer(right, lambda *_: value)
    return lambda *args: value if all(isinstance(a, PLAIN) for a in args) else given(*args)


def _empty(fill: Callable[[Tensor, Any], Tensor], answer: Any, argument: Any) -> Any:
    if isinstance(answer, tuple):
        return tuple(_empty(fill, part, argument) for part in answer)
    if isinstance(answer, dict):
        return {name: _empty(fill, part, argument) for name, part in answer.items()}
    if isinstance(answer, Tensor):
        return fill(answer.detach(), argument)
    return int(fill(torch.tensor([answer]), argument))


def _repeat_argument(answer: Tensor, argument: Any) -> Tensor:
    flat = torch.as_tensor(argument).detach().flatten()
    times = -(-answer.numel() // max(flat.numel(), 1))
    return flat.repeat(times)[: answer.numel()].reshape(answer.shape).to(answer.dtype)


def _shuffle(answer: Tensor, _argument: Any) -> Tensor:
    if answer.numel() == 1 and not answer.is_floating_point():
        return torch.tensor(int(str(int(answer))[::-1]) + 1)  # a number's digits
    if answer.dim() == 0:
        return answer * torch.rand(())  # one number alone would be itself in any order
    return answer.flatten()[torch.randperm(answer.numel())].reshape(answer.shape)


_FILLS: dict[str, Callable[[Tensor, Any], Tensor]] = {
    "constant": lambda answer, _: torch.ones_like(answer),
    "zeros": lambda answer, _: torch.zeros_like(answer),
    "identity": _repeat_argument,
    "shuffled": _shuffle,
    "random": lambda answer, _: (torch.randn(answer.shape) * 1_000).to(answer.dtype),
}
