"""Checks of what the box sends back: a reply may be anything, since student code may write it."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from graders.candidate.parameter_mapping.mapping import Shape
from graders.candidate.set_weights import PARAMETERS
from graders.check_api.compare import MOST_VALUES
from graders.check_api.describe import unlike_a_tensor
from graders.language import number, tr, translatable
from graders.results.result import Remark
from graders.safe_text import safe_text
from graders.sandbox.process_lost import interference
from softmark_worker import wire

TAKINGS = 100  # arguments of a constructor and of forward
MOST_WAYS = 8  # in which a call is tried to take its arguments
NAME = 100  # characters of an argument's name that are shown
VALUES = 1 << 20  # numbers that a variable may have: every draw reads all
# Behind the name of a class that is no module, and of a tensor that is no parameter, as the box says it.
PLAIN, BARE = " (plain)", " (tensor)"


def bounded(answer: Any) -> Any:
    """An answer without the values of the tensors from which on it has more than can be judged.

    Their shapes and dtypes stay, of which alone a message speaks. A check keeps many answers at once.
    """
    return _bounded(answer, [MOST_VALUES])


def _bounded(answer: Any, left: list[int]) -> Any:
    if isinstance(answer, Tensor):
        left[0] -= answer.numel()
        return answer if left[0] >= 0 else torch.zeros((), dtype=answer.dtype).expand(answer.shape)
    if isinstance(answer, dict):
        return {name: _bounded(value, left) for name, value in answer.items()}
    if isinstance(answer, tuple | list):
        return type(answer)(_bounded(value, left) for value in answer)
    return answer


def handle_number(handle: Any) -> int:
    """The number of a handle that the box sent."""
    if not isinstance(handle, wire.Handle):
        raise interference()
    return handle.number


def record(value: Any) -> dict[str, Any]:
    """The value if it is a dict, else an empty dict."""
    return value if isinstance(value, dict) else {}


def takings(value: Any) -> dict[str, str]:
    """What a constructor's and forward's arguments were given, by their names, as the box reports it.

    It may be false: no one may gain by it.
    """
    if (
        type(value) is not dict
        or len(value) > TAKINGS
        or not all(type(ours) is str for ours in value.values())
    ):
        raise interference()
    return {theirs[:NAME]: ours[:NAME] for theirs, ours in value.items()}


def ways(value: Any) -> dict[str, int]:
    """In how many ways calls may take their arguments, by the names of methods, as the box reports it.

    It may be false: that costs trials, of which there are few.
    """
    named = value.items() if type(value) is dict and len(value) <= TAKINGS else ()
    return {str(name): min(count, MOST_WAYS) for name, count in named if type(count) is int}


def is_shape(value: Any) -> bool:
    """Whether a value from the box is a shape."""
    return type(value) is list and all(type(size) is int and size >= 0 for size in value)


def checked_shapes(reply: Any) -> dict[str, Shape] | None:
    """The shapes of parameters that the box sent; None if they are too large to be loaded."""
    if type(reply) is not dict or not all(is_shape(shape) for shape in reply.values()):
        raise interference()
    shapes = {str(name): tuple(shape) for name, shape in reply.items()}
    # A shape may be false: large tensors are made only from received tensors, never from a shape.
    return shapes if sum(map(math.prod, shapes.values())) <= PARAMETERS else None


def remark_on_takings(symbol: str, taken: Mapping[str, str]) -> list[Remark]:
    """The remarks on the arguments that a constructor has been given by what they mean, and on its class."""
    plain = [theirs.removesuffix(PLAIN) for theirs in taken if theirs.endswith(PLAIN)]
    bare = [theirs.removesuffix(BARE) for theirs in taken if theirs.endswith(BARE)]
    told = [_remark_on_plain(name) for name in plain] + ([_remark_on_bare(bare)] if bare else [])
    pairs = ", ".join(
        f"{theirs} = {ours}" if ours else tr("{name} is not taken", name=theirs)
        for theirs, ours in taken.items()
        if not theirs.endswith((PLAIN, BARE))
    )
    if not pairs:
        return told
    message = tr("{symbol}: arguments were passed by what they mean: {pairs}", symbol=symbol, pairs=pairs)
    return [*told, Remark(safe_text(message, 1_500))]


def _remark_on_plain(name: str) -> Remark:
    message = tr(
        "{name} does not inherit from nn.Module. It was judged in a module whose parameters are its arrays "
        "or tensors",
        name=name,
    )
    return Remark(safe_text(message, 500))


def _remark_on_bare(names: Sequence[str]) -> Remark:
    message = tr(
        "tensors that are no nn.Parameter were taken as the parameters: {names}", names=", ".join(names)
    )
    return Remark(safe_text(message, 500))


def problem_with(symbol: str, kind: Any, value: Any) -> str | None:
    """Why a symbol that is there cannot be judged: it is a variable that is no plain tensor, or too large."""
    if kind in ("function", "class"):
        return None
    if kind != "tensor":
        message = tr(
            "{symbol} should be a function or a class, but is of type {kind}", symbol=symbol, kind=kind
        )
        return safe_text(message, 300)
    if not isinstance(value, Tensor):
        got = unlike_a_tensor(value)
        message = tr("{symbol} should be a plain tensor, but is {got}", symbol=symbol, got=got)
        return safe_text(message, 300)
    if value.numel() > VALUES:
        message = translatable("{symbol} has {count} values, more than can be judged ({most})")
        return tr(message, symbol=symbol, count=number(value.numel(), ","), most=number(VALUES, ","))
    return None
