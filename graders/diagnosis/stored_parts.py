"""Right parts of an answer key: what the reference's parts answer where wholes ask them, without their code.

What the reference's whole asks on one run's draws is known in advance. A question is found again by its
shapes and by sums of its values along random directions: it may differ by rounding from the stored one. Where
none is near, there is no answer, and the check is not decided. Of a part that only moves values, it is stored
where each value of the answer comes from, so that it answers every question of these shapes.
"""

import hashlib
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import torch
from torch import Tensor

from graders.check_api.candidate import Raised
from graders.diagnosis.projection import DIRECTIONS, sums_along
from graders.diagnosis.right_parts import RightParts, fitted
from graders.language import tr

NEAR = {torch.float64: 1e-9, torch.float32: 3e-5}  # two questions are one: differences relative to the norm
LEAST_NORM = 1e-3  # a difference is measured against the norm, or against this
ALIKE = 3  # answers in training mode to one question, which differ by dropout
NO_ANSWER = "LookupError"  # what code meets there; a RuntimeError would look like that of a known mistake
MARKS = 1 + DIRECTIONS  # of a tensor: its norm, and its sums along directions


Answer = TypeVar("Answer")


class NotStored(Exception):
    """The key holds no answer to a question."""


@dataclass(frozen=True)
class StoredMove:
    """A call that only moves values: the answer's shape, and the place that each of its values comes from."""

    shape: tuple[int, ...]
    places: Tensor


@dataclass(frozen=True)
class StoredCall:
    """A call: the marks of all tensors of floats in it, (n, MARKS), its answer, and its backward passes.

    A backward pass is stored by the gradients that arrive: which do, and their marks. Its answer is the
    gradients of the arguments, then of the parameters.
    """

    marks: Tensor
    answer: Any
    backward: list[tuple[list[bool], Tensor, list[Any]]] = field(default_factory=list)


@dataclass(frozen=True)
class StoredPart:
    """A part: the names of its arguments, the parameters of its configurations, and its answers to calls.

    `shapes` has the shapes of parameters by configuration, `refused` the types of errors by configuration or
    call; configurations and calls are named by `signature`.
    """

    description: Mapping[str, Any]
    defaults: Mapping[str, Any]
    shapes: dict[str, Mapping[str, tuple[int, ...]]] = field(default_factory=dict)
    moves: dict[str, StoredMove] = field(default_factory=dict)
    calls: dict[str, list[StoredCall]] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)

    def name_of(self, config: Mapping[str, Any] | None, training: bool = False) -> str:
        """What tells a configuration from others. In evaluation, rates of dropout do not count."""
        if config is None:
            return ""
        whole = {**self.defaults, **config}
        return repr(sorted((n, v) for n, v in whole.items() if training or type(v) is not float))


class PartsOfKey(RightParts):
    """Parts that answer from what an answer key holds."""

    def __init__(self, parts: Mapping[str, StoredPart]) -> None:
        super().__init__({})
        self._stored = parts

    @property
    def descriptions(self) -> dict[str, Any]:
        """What the box is told of the parts: the names of their arguments."""
        return {name: dict(part.description) for name, part in self._stored.items()}

    def answer(self, question: str, value: Any) -> list[Any]:
        """Whether the question has an answer, and the answer, or an error's type and text. Never raises."""
        try:
            return self._look_up(question, value)
        except Exception:  # the question is untrusted: whatever is odd in it has no answer
            self.unanswered.update(self._named_in(question, value))
            return [False, [NO_ANSWER, tr("the answer key holds nothing that fits")]]

    def _look_up(self, question: str, value: Any) -> list[Any]:
        if question == "construct":
            name, config, number = value
            part = self._stored[name]
            sizes = part.name_of(config)
            if sizes in part.refused:
                return [False, [part.refused[sizes], ""]]
            self.used.add(name)
            return [True, {"values": _new_parameters(part.shapes[sizes], number), "frozen": []}]
        about, args, parameters, *upstream = value
        part = self._stored[about["part"]]
        self.note_call(about["part"])
        succeeded, answer = _ask(part, about, args, parameters, *upstream)
        return [succeeded, answer if upstream or not succeeded else self.in_form(answer)]

    def _named_in(self, question: str, value: Any) -> Iterable[str]:
        """The part that a question is about; all of them where it names none."""
        try:
            name = value[0] if question == "construct" else value[0]["part"]
            return [name] if name in self._stored else self._stored
        except Exception:  # as above
            return self._stored


def unless_unanswered(ask: Callable[[], Answer]) -> Answer | None:
    """What is asked of code; None where its parts have no answer, as for the gradients of a mistake."""
    try:
        return ask()
    except Raised as error:
        if error.kind != NO_ANSWER:
            raise
        return None


def _ask(
    part: StoredPart,
    about: Mapping[str, Any],
    args: list[Any],
    parameters: list[Any],
    upstream: list[Any] | None = None,
) -> list[Any]:
    if move := part.moves.get(shapes_alone(args)):
        return [True, _move(move, args, upstream and fitted(upstream, 1))]
    sign = signature(part, about, args, parameters)
    if sign in part.refused:
        return [False, [part.refused[sign], ""]]
    call = find_call(part, about, sign, args, parameters)
    if upstream is None:
        return [True, call.answer]
    outputs = len(call.answer) if isinstance(call.answer, tuple | list) else 1
    given = find_backward(call, fitted(upstream, outputs))
    return [True, _padded(given, len(args), len(parameters))]


def signature(
    part: StoredPart, about: Mapping[str, Any], args: Sequence[Any], parameters: Sequence[Any]
) -> str:
    """What a question is found by: its configuration, shapes, and all values that are no floats."""
    kinds = [_kind(value) for value in trimmed(args)]
    training = bool(about["training"])
    named = repr((part.name_of(about["config"], training), training, len(parameters), kinds))
    return hashlib.sha256(named.encode()).hexdigest()[:24]


def shapes_alone(args: Sequence[Any]) -> str:
    """What a call that only moves values is found by: the shape of its tensor, and the other arguments."""
    return repr([tuple(a.shape) if isinstance(a, Tensor) else a for a in trimmed(args)])


def find_call(
    part: StoredPart, about: Mapping[str, Any], sign: str, args: Sequence[Any], parameters: Sequence[Any]
) -> StoredCall:
    """The stored call that is nearest to a question.

    Raises:
        NotStored: none is near.
    """
    marks, bounds = marks_of((*args, *parameters)), _bounds((*args, *parameters))
    near = [(_distance(call.marks, marks, bounds), n) for n, call in enumerate(part.calls.get(sign, ()))]
    close = sorted(pair for pair in near if pair[0] <= 1)
    if not close:
        raise NotStored
    chosen = close[int(about["number"]) % len(close)] if about["training"] else close[0]
    return part.calls[sign][chosen[1]]


def find_backward(call: StoredCall, upstream: Sequence[Any]) -> list[Any]:
    """The answer to the nearest backward pass of a call.

    Raises:
        NotStored: none is near.
    """
    arrive, marks, bounds = arriving(upstream), marks_of(upstream), _bounds(upstream)
    near = [
        (_distance(theirs, marks, bounds), n)
        for n, (which, theirs, _) in enumerate(call.backward)
        if which == arrive
    ]
    far, number = min(near, default=(math.inf, 0))
    if far > 1:
        raise NotStored
    return call.backward[number][2]


def marks_of(values: Iterable[Any]) -> Tensor:
    """The marks (n, MARKS) of the n tensors of floats among values."""
    rows = [_marks(value) for value in values if _is_float(value)]
    return torch.tensor(rows, dtype=torch.float64).reshape(len(rows), MARKS)


def arriving(upstream: Iterable[Any]) -> list[bool]:
    """For each gradient, whether it arrives."""
    return [_is_float(value) for value in upstream]


def _marks(value: Tensor) -> tuple[float, ...]:
    flat = value.detach().double().reshape(-1)
    finite = torch.where(torch.isfinite(flat), flat, torch.zeros(()).double())
    return float(finite.norm()), *sums_along(finite)


def _bounds(values: Iterable[Any]) -> Tensor:
    bounds = [NEAR.get(value.dtype, 0.0) for value in values if _is_float(value)]
    return torch.tensor(bounds, dtype=torch.float64)[:, None]


def _distance(ours: Tensor, theirs: Tensor, bounds: Tensor) -> float:
    """The largest difference of marks, in units of what rounding explains."""
    if ours.shape != theirs.shape:
        return math.inf
    allowed = bounds * ours[:, :1].clamp(min=LEAST_NORM)
    return float(((ours - theirs).abs() / allowed).max()) if ours.numel() else 0.0


def _kind(value: Any) -> Any:
    if not isinstance(value, Tensor):
        return repr(value)
    kind = str(value.dtype), tuple(value.shape)
    if value.is_floating_point():
        return kind
    data = value.detach().contiguous().reshape(-1).view(torch.uint8)
    return *kind, hashlib.sha256(data.numpy().tobytes()).hexdigest()


def _is_float(value: Any) -> bool:
    return isinstance(value, Tensor) and value.is_floating_point()


def trimmed(args: Sequence[Any]) -> list[Any]:
    """The arguments without those at the end that are None."""
    kept = list(args)
    while kept and kept[-1] is None:
        kept.pop()
    return kept


def _move(move: StoredMove, args: Sequence[Any], upstream: Sequence[Any] | None) -> Any:
    """The answer of a call that only moves values; with `upstream`, the gradients of its arguments."""
    [given] = [a for a in args if isinstance(a, Tensor)]
    places = move.places.long()
    if upstream is None:
        return given.detach().reshape(-1)[places].reshape(move.shape)
    gradient = torch.zeros(given.numel(), dtype=given.dtype)
    if _is_float(upstream[0]):
        gradient.index_add_(0, places, upstream[0].reshape(-1).to(given.dtype))
    return [gradient.reshape(given.shape) if a is given and _is_float(a) else None for a in args]


def _new_parameters(shapes: Mapping[str, tuple[int, ...]], number: int) -> dict[str, Tensor]:
    """Parameters as a new module has them: gains of norms are one, all others small and random.

    The box's number is their seed, as it is where the reference makes the module.
    """
    new, generator = {}, torch.Generator().manual_seed(number)
    for name, shape in shapes.items():
        gain = len(shape) == 1 and not name.endswith("bias")
        bound = 1 / math.sqrt(max(shape[-1], 1))
        small = torch.empty(shape).uniform_(-bound, bound, generator=generator)
        new[name] = torch.ones(shape) if gain else small
    return new


def _padded(gradients: Sequence[Any], args: int, parameters: int) -> list[Any]:
    """Gradients of the arguments and parameters of a call, whose last arguments may be more, and None."""
    of_args = list(gradients[: len(gradients) - parameters])
    return [*(of_args + [None] * args)[:args], *gradients[len(gradients) - parameters :]]
