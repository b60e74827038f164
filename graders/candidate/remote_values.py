"""What stays in the box and is called there: every call crosses the wire as bytes.

Implements the protocols of `graders.check_api.check`, as `candidate.py` does for the symbol itself.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, Self

import torch
from torch import Tensor

from graders.candidate.parameter_mapping.mapping import Shape
from graders.check_api.check import CallLog, Convert, Gradients, ObservedCall, Seeded
from graders.check_api.recording_models import parse_call_log
from graders.sandbox.process_lost import interference
from graders.worker import wire


class Asks(Protocol):
    """The candidate, through which all is asked. `left` are the numbers that nobody here knows any more."""

    left: list[int | None]

    def ask(self, do: str, value: list[Any]) -> Any:
        """The answer's value."""

    def train(self, do: str, value: list[Any]) -> Any:
        """The same for what takes many calls' time."""

    def behind(
        self, handle: Any, shapes: dict[str, Shape] | None = None, frozen: Iterable[str] = ()
    ) -> "RemoteModule":
        """The module in the box that a handle stands for."""


class Called:
    """Anything in the box that can be called: the symbol itself, or an object behind a number."""

    def __init__(self, candidate: "Asks", target: int | None) -> None:
        self._candidate = candidate
        self._target = target

    @property
    def target(self) -> int | None:
        """Its number in the box; None for the symbol itself."""
        return self._target

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._candidate.ask("call", [self._target, sent(args), kwargs])

    def observed_call(self, *args: Any, **kwargs: Any) -> ObservedCall:
        seen = record(self._candidate.ask("call_and_look", [self._target, sent(args), kwargs]))
        after, kept = seen.get("args"), seen.get("random_state_kept")
        if type(after) is not list or len(after) != len(args) or type(kept) is not bool:
            raise interference()
        return ObservedCall(seen.get("answer"), after, kept)

    def seeded(self, seed: int, *args: Any) -> Seeded:
        seen = record(self._candidate.ask("call_seeded", [self._target, seed, sent(args)]))
        after, kept = seen.get("args"), seen.get("gradients_kept")
        if type(after) is not list or len(after) != len(args) or type(kept) is not bool:
            raise interference()
        return Seeded(seen.get("answer"), after, kept)

    def gradients(self, *args: Any, upstream: Sequence[Tensor | None]) -> Gradients:
        seen = record(self._candidate.ask("gradients", [self._target, list(args), {}, list(upstream)]))
        inputs, parameters = seen.get("inputs"), seen.get("parameters")
        due = sum(isinstance(a, Tensor) and a.is_floating_point() for a in args)
        if type(inputs) is not list or len(inputs) != due or type(parameters) is not dict:
            raise interference()
        if not all(g is None or isinstance(g, Tensor) for g in (*inputs, *parameters.values())):
            raise interference()
        return Gradients(seen.get("answer"), inputs, parameters)


class RemoteModule(Called):
    """A module of the student's, which stays in the box."""

    def __init__(
        self,
        candidate: "Asks",
        target: int,
        shapes: dict[str, Shape] | None = None,
        frozen: frozenset[str] = frozenset(),
    ) -> None:
        super().__init__(candidate, target)
        self.convert: Convert = dict
        self.frozen = frozen
        self._shapes = shapes

    def __del__(self) -> None:
        self._candidate.left.append(self._target)

    @property
    def handle(self) -> wire.Handle:
        assert self._target is not None
        return wire.Handle(self._target)

    def parameters(self) -> dict[str, Tensor]:
        found = record(self._candidate.ask("parameters", [self._target]))
        return {name: value for name, value in found.items() if isinstance(value, Tensor)}

    def shapes(self) -> dict[str, Shape]:
        """The shapes of its parameters, as it was built."""
        if self._shapes is None:
            self._shapes = {name: tuple(value.shape) for name, value in self.parameters().items()}
        return self._shapes

    def load(self, parameters: Mapping[str, Tensor], dtype: torch.dtype | None = None) -> Self:
        # One after another in one tensor: each that crosses costs more than its bytes.
        values = [value.reshape(-1) for value in parameters.values()]
        whole = torch.cat(values) if values else torch.empty(0)
        self._candidate.ask(
            "load_parameters", [self._target, list(parameters), whole, dtype and wire.NAMES[dtype]]
        )
        return self

    def train_steps(self, *args: Any, steps: int, rate: float) -> Self:
        self._candidate.train("train_steps", [self._target, list(args), steps, rate])
        return self

    def parts(self, names: Sequence[str]) -> list[tuple[str, "RemoteModule"]]:
        """Its sub-modules of classes with these names, none inside another, with the class's name."""
        found = self._candidate.ask("parts", [self._target, list(names)])
        if type(found) is not list or not all(
            type(pair) in (list, tuple) and len(pair) == 2 for pair in found
        ):
            raise interference()
        return [(str(name), self._candidate.behind(handle)) for name, handle in found]

    def train(self, mode: bool = True) -> Self:
        self._candidate.ask("train", [self._target, mode])
        return self

    def state(self) -> dict[str, Shape]:
        """The shapes of its parameters and buffers."""
        answer = self._candidate.ask("state", [self._target])
        if type(answer) is not dict or not all(is_shape(shape) for shape in answer.values()):
            raise interference()
        return {str(name): tuple(shape) for name, shape in answer.items()}

    def load_state(self, values: Mapping[str, Tensor]) -> None:
        """Set its parameters and buffers by name."""
        self._candidate.ask("load_state", [self._target, list(values), list(values.values())])

    def infer(self, *args: Any) -> Any:
        """The answer, without gradients."""
        return self._candidate.ask("infer", [self._target, list(args)])

    def to(self, dtype: torch.dtype) -> Self:
        self._candidate.ask("cast", [self._target, wire.NAMES[dtype]])
        return self


class RemoteRecordingModel(RemoteModule):
    """A model of ours, which lives with the student's code."""

    def call_log(self) -> CallLog:
        log = parse_call_log(self._candidate.ask("call_log", [self._target]))
        if log is None:
            raise interference()
        return log


def numbered(handle: Any) -> int:
    """The number behind a handle that the box gave."""
    if not isinstance(handle, wire.Handle):
        raise interference()
    return handle.number


def sent(args: Sequence[Any]) -> list[Any]:
    """Arguments as they cross: what is in the box already goes as its number."""
    return [a.handle if isinstance(a, RemoteModule) else a for a in args]


def record(value: Any) -> dict[str, Any]:
    """What came, where a dict was due."""
    return value if isinstance(value, dict) else {}


def is_shape(value: Any) -> bool:
    """Whether this is a shape, as the box tells it."""
    return type(value) is list and all(type(size) is int and size >= 0 for size in value)
