"""Stand-ins for objects that stay in the box: every call is sent there as bytes.

Implements the protocols of `graders.check_api.check`, as `remote_candidate.py` does for the symbol itself.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, Self

import torch
from torch import Tensor

from graders.candidate.check_replies import bounded, is_shape, record
from graders.candidate.parameter_mapping.mapping import Shape
from graders.check_api.candidate import Convert, Gradients, ObservedCall, Seeded
from graders.check_api.check import CallLog
from graders.check_api.lent_models import ModelAnswers
from graders.sandbox.process_lost import interference
from softmark_worker import wire


class Asks(Protocol):
    """The candidate, which sends all requests. `left`: handles that can be freed in the box."""

    left: list[int | None]

    def as_read(self, args: Sequence[Any]) -> list[Any]:
        """The arguments of a call, with the mask as the candidate reads it."""

    def ask(self, do: str, value: list[Any]) -> Any:
        """The answer's value."""

    def train(self, do: str, value: list[Any]) -> Any:
        """The same for a request that takes as long as many calls."""

    def behind(
        self, handle: Any, shapes: dict[str, Shape] | None = None, frozen: Iterable[str] = ()
    ) -> "RemoteModule":
        """The module in the box that a handle stands for."""


class RemoteCallable:
    """Anything in the box that can be called: the symbol itself, or an object with a number."""

    def __init__(self, candidate: "Asks", target: int | None) -> None:
        self._candidate = candidate
        self._target = target

    @property
    def target(self) -> int | None:
        """Its number in the box; None for the symbol itself."""
        return self._target

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return bounded(self._candidate.ask("call", [self._target, self._prepare_arguments(args), kwargs]))

    def observed_call(self, *args: Any, **kwargs: Any) -> ObservedCall:
        given = self._prepare_arguments(args)
        reply = record(self._candidate.ask("call_and_look", [self._target, given, kwargs]))
        after, kept = reply.get("args"), reply.get("random_state_kept")
        if type(after) is not list or len(after) != len(given) or type(kept) is not bool:
            raise interference()
        return ObservedCall(bounded(reply.get("answer")), _unless_converted(args, given, after), kept)

    def seeded(self, seed: int, *args: Any) -> Seeded:
        given = self._prepare_arguments(args)
        reply = record(self._candidate.ask("call_seeded", [self._target, seed, given]))
        after, kept = reply.get("args"), reply.get("gradients_kept")
        if type(after) is not list or len(after) != len(given) or type(kept) is not bool:
            raise interference()
        return Seeded(bounded(reply.get("answer")), _unless_converted(args, given, after), kept)

    def gradients(self, *args: Any, upstream: Sequence[Tensor | None]) -> Gradients:
        given = self._candidate.as_read(args)
        reply = record(self._candidate.ask("gradients", [self._target, given, {}, list(upstream)]))
        inputs, parameters = reply.get("inputs"), reply.get("parameters")
        expected = sum(map(_is_floating, given))
        if type(inputs) is not list or len(inputs) != expected or type(parameters) is not dict:
            raise interference()
        if not all(g is None or isinstance(g, Tensor) for g in (*inputs, *parameters.values())):
            raise interference()
        by_argument = iter(inputs)
        received = [next(by_argument) if _is_floating(value) else None for value in given[: len(args)]]
        inputs = [value for value, arg in zip(received, args, strict=True) if _is_floating(arg)]
        return Gradients(bounded(reply.get("answer")), inputs, parameters)

    def _prepare_arguments(self, args: Sequence[Any]) -> list[Any]:
        return prepare_arguments(self._candidate.as_read(args))


class RemoteModule(RemoteCallable):
    """A student's module, which stays in the box."""

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
        reply = record(self._candidate.ask("parameters", [self._target]))
        sent = {name: value for name, value in reply.items() if isinstance(value, Tensor)}
        # Those that it counts must be those that are loaded: else it could count what it does not use.
        known = self._shapes or {}
        if known and {name: known[name] for name in known.keys() - (reply.keys() - sent.keys())} != {
            name: tuple(value.shape) for name, value in sent.items()
        }:
            raise interference()
        return sent

    def shapes(self) -> dict[str, Shape]:
        """The shapes of its parameters, as constructed."""
        if self._shapes is None:
            self._shapes = {name: tuple(value.shape) for name, value in self.parameters().items()}
        return self._shapes

    def load(self, parameters: Mapping[str, Tensor], dtype: torch.dtype | None = None) -> Self:
        # Concatenated into one tensor: each tensor sent costs more than its bytes.
        values = [value.reshape(-1) for value in parameters.values()]
        whole = torch.cat(values) if values else torch.empty(0)
        self._candidate.ask(
            "load_parameters", [self._target, list(parameters), whole, dtype and wire.NAMES[dtype]]
        )
        return self

    def train_steps(self, *args: Any, steps: int, rate: float) -> Self:
        self._candidate.train("train_steps", [self._target, list(args), steps, rate])
        return self

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

    def watch(self, *args: Any, length: int) -> Any:
        """What the box sees of attention weights of so many tokens while the module answers."""
        return self._candidate.ask("watch", [self._target, list(args), length])

    def to(self, dtype: torch.dtype) -> Self:
        self._candidate.ask("cast", [self._target, wire.NAMES[dtype]])
        return self


class RemoteTensor:
    """A tensor that stays in the box, where it lies in memory as no tensor that is sent does."""

    def __init__(self, candidate: "Asks", target: int) -> None:
        self._candidate = candidate
        self._target = target

    def __del__(self) -> None:
        self._candidate.left.append(self._target)

    @property
    def handle(self) -> wire.Handle:
        return wire.Handle(self._target)


class RemoteMethod(RemoteCallable):
    """A method of a student's module, which stays in the box."""

    def __del__(self) -> None:
        self._candidate.left.append(self._target)


class RemoteLentModel(RemoteModule):
    """One of our models, of which the student's process has a shell; `answers` gives what it answers."""

    def __init__(self, candidate: "Asks", target: int, answers: ModelAnswers) -> None:
        super().__init__(candidate, target)
        self._answers = answers

    @property
    def calls(self) -> int:
        """How often it was called."""
        return self._answers.calls

    def call_log(self) -> CallLog:
        training = self._candidate.ask("mode", [self._target])
        if type(training) is not bool:
            raise interference()
        return self._answers.log(training)


def prepare_arguments(args: Sequence[Any]) -> list[Any]:
    """Arguments as they are sent: a module or a tensor in the box as its handle."""
    return [a.handle if isinstance(a, RemoteModule | RemoteTensor) else a for a in args]


def name_arguments(kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The same for arguments by name."""
    return dict(zip(kwargs, prepare_arguments(list(kwargs.values())), strict=True))


def _is_floating(value: Any) -> bool:
    return isinstance(value, Tensor) and value.is_floating_point()


def _unless_converted(args: Sequence[Any], given: Sequence[Any], after: Sequence[Any]) -> list[Any]:
    """The arguments after a call; where a converted one kept its values, the argument as it was."""
    return [
        arg
        if isinstance(arg, Tensor)
        and converted is not arg
        and isinstance(value, Tensor)
        and value.dtype == converted.dtype
        and torch.equal(value, converted)
        else value
        for arg, converted, value in zip(
            args, given, after, strict=False
        )  # a mask that was not given may be there, too
    ]
