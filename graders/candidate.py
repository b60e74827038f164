"""A student's function, class or variable as an ordinary callable; every call crosses the wire as bytes.

Implements the protocols of `graders.check` over a process in the box.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Self, TypeVar

import torch
from torch import Tensor

from graders.account import Account, StudentError
from graders.check import Gradients, Look, Module, Saw, Seeded, Taken
from graders.child import Answer
from graders.extract import Source
from graders.kinds import unlike_a_tensor
from graders.lent import understood
from graders.lost import Lost, interfered
from graders.plain import plain
from graders.renaming.naming import Naming
from graders.renaming.rule import Shape
from graders.result import Outcome, Remark
from graders.together import Together
from graders.turn import Turn
from graders.twin import Twin
from graders.weighing import PARAMETERS, alike, mildly
from graders.worker import wire

AT_ONCE = 25  # pieces of work whose requests travel together
LEFT = 8  # modules that are forgotten in one request, where requests go alone
T = TypeVar("T")
VALUES = 1 << 20  # of a variable, looked at once for every draw


class _Apart(Exception):
    """What was asked together must be asked one by one."""


class _Called:
    """Anything in the box that can be called: the symbol itself, or an object behind a number."""

    def __init__(self, candidate: "Boxed", target: int | None) -> None:
        self._candidate = candidate
        self._target = target

    @property
    def target(self) -> int | None:
        """Its number in the box; None for the symbol itself."""
        return self._target

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._candidate.ask("call", [self._target, _sent(args), kwargs])

    def look(self, *args: Any, **kwargs: Any) -> Look:
        seen = _record(self._candidate.ask("call_and_look", [self._target, _sent(args), kwargs]))
        after, kept = seen.get("args"), seen.get("random_state_kept")
        if type(after) is not list or len(after) != len(args) or type(kept) is not bool:
            raise interfered()
        return Look(seen.get("answer"), after, kept)

    def seeded(self, seed: int, *args: Any) -> Seeded:
        seen = _record(self._candidate.ask("call_seeded", [self._target, seed, _sent(args)]))
        after, kept = seen.get("args"), seen.get("gradients_kept")
        if type(after) is not list or len(after) != len(args) or type(kept) is not bool:
            raise interfered()
        return Seeded(seen.get("answer"), after, kept)

    def gradients(self, *args: Any, upstream: Sequence[Tensor | None]) -> Gradients:
        seen = _record(self._candidate.ask("gradients", [self._target, list(args), {}, list(upstream)]))
        inputs, parameters = seen.get("inputs"), seen.get("parameters")
        due = sum(isinstance(a, Tensor) and a.is_floating_point() for a in args)
        if type(inputs) is not list or len(inputs) != due or type(parameters) is not dict:
            raise interfered()
        if not all(g is None or isinstance(g, Tensor) for g in (*inputs, *parameters.values())):
            raise interfered()
        return Gradients(seen.get("answer"), inputs, parameters)


class BoxedModule(_Called):
    """A module of the student's, which stays in the box."""

    def __init__(
        self,
        candidate: "Boxed",
        target: int,
        shapes: dict[str, Shape] | None = None,
        frozen: frozenset[str] = frozenset(),
    ) -> None:
        super().__init__(candidate, target)
        self.taken: Taken = dict
        self.frozen = frozen
        self._shapes = shapes

    def __del__(self) -> None:
        self._candidate.left.append(self._target)

    @property
    def handle(self) -> wire.Handle:
        assert self._target is not None
        return wire.Handle(self._target)

    def parameters(self) -> dict[str, Tensor]:
        found = _record(self._candidate.ask("parameters", [self._target]))
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

    def learn(self, *args: Any, steps: int, rate: float) -> Self:
        self._candidate.train("descend", [self._target, list(args), steps, rate])
        return self

    def parts(self, names: Sequence[str]) -> list[tuple[str, "BoxedModule"]]:
        """Its sub-modules of classes with these names, none inside another, with the class's name."""
        found = self._candidate.ask("parts", [self._target, list(names)])
        if type(found) is not list or not all(
            type(pair) in (list, tuple) and len(pair) == 2 for pair in found
        ):
            raise interfered()
        return [(str(name), self._candidate.behind(handle)) for name, handle in found]

    def train(self, mode: bool = True) -> Self:
        self._candidate.ask("train", [self._target, mode])
        return self

    def state(self) -> dict[str, Shape]:
        """The shapes of its parameters and buffers."""
        told = self._candidate.ask("state", [self._target])
        if type(told) is not dict or not all(_is_shape(shape) for shape in told.values()):
            raise interfered()
        return {str(name): tuple(shape) for name, shape in told.items()}

    def load_state(self, values: Mapping[str, Tensor]) -> None:
        """Set its parameters and buffers by name."""
        self._candidate.ask("load_state", [self._target, list(values), list(values.values())])

    def infer(self, *args: Any) -> Any:
        """The answer, without gradients."""
        return self._candidate.ask("infer", [self._target, list(args)])

    def to(self, dtype: torch.dtype) -> Self:
        self._candidate.ask("cast", [self._target, wire.NAMES[dtype]])
        return self


class BoxedLent(BoxedModule):
    """A model of ours, which lives with the student's code."""

    def saw(self) -> Saw:
        told = understood(self._candidate.ask("saw", [self._target]))
        if told is None:
            raise interfered()
        return told


class Boxed(_Called):
    """The student's symbol. `problem` says why it cannot be called at all, where it cannot.

    `proofs` gives fresh draws on which a renaming of its parameters can be proven; none without a reference.
    Its modules are cast to `dtype`, if one is given.
    """

    def __init__(
        self,
        turn: Turn,
        source: Source,
        proofs: Callable[[], Sequence[Twin]] = list,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__(self, None)
        self.value: Tensor | None = None
        self.problem: str | None = None
        self.naming = Naming(self, proofs, self._alone)
        self.left: list[int | None] = []  # of modules, which nobody here knows any more
        self._dtype = dtype and wire.NAMES[dtype]
        self._turn = turn
        self._source = source
        self._hung = False
        self._together: Together[tuple[str, list[Any]], Answer] | None = None
        self.account = Account(source, turn.box)

    def load(self) -> list[Remark]:
        """Load the source in the box; what is to be said about lines that raised on the way.

        Raises:
            Lost: the process did not survive it.
        """
        loaded = self._turn.open(self._source)
        self.account.loaded(loaded.get("problems"))
        self._greet(loaded.get("kind"), loaded.get("value"))
        return [problem.remark for problem in self.account.problems]

    def construct(self, *args: Any, **kwargs: Any) -> BoxedModule:
        return self._made(args, kwargs)

    def lend(self, kind: str, **config: Any) -> BoxedLent:
        return BoxedLent(self, self._number(self.ask("lend", [kind, config])))

    def weighted(self, seed: int, **config: Any) -> Module:
        return mildly(self._made((), config), seed)

    def like(self, twin: Twin) -> Module:
        return alike(self._made((), twin.draw.config), self.naming, twin)

    def ask(self, do: str, value: list[Any]) -> Any:
        """The answer's value.

        Raises:
            StudentError: the student's code raised.
            Lost: the process is gone.
        """
        return self._told(self._together.wait((do, value)) if self._together else self._ask(do, value))

    def train(self, do: str, value: list[Any]) -> Any:
        """The same for what takes many calls' time: by itself, and within a limit of its own.

        Raises:
            StudentError: the student's code raised.
            Lost: the process is gone.
        """
        with self._alone():
            return self._told(self._asked(do, value, self._turn.box.limits.training_s))

    def together(self, works: Sequence[Callable[[], T]]) -> list[T] | None:
        """What each of the works gives, all at once; None where they must be done one after another."""
        found: list[T] = []
        for start in range(0, len(works), AT_ONCE):
            self._together = Together(self._ask_all)
            try:
                found += self._together.run(works[start : start + AT_ONCE])
            except _Apart:
                return None
            finally:
                self._together = None
        return found

    def behind(
        self, handle: Any, shapes: dict[str, Shape] | None = None, frozen: Iterable[str] = ()
    ) -> BoxedModule:
        """The module in the box that a handle stands for, with what is known of its parameters."""
        return BoxedModule(self, self._number(handle), shapes, frozenset(frozen))

    @staticmethod
    def _number(handle: Any) -> int:
        if not isinstance(handle, wire.Handle):
            raise interfered()
        return handle.number

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Ask at once, in the midst of what is done together: nothing else goes on meanwhile."""
        together, self._together = self._together, None
        try:
            yield
        finally:
            self._together = together

    def _ask(self, do: str, value: list[Any]) -> Answer:
        limits = self._turn.box.limits
        try:
            return self._asked(do, value, limits.later_call_s if self._hung else limits.call_s)
        except Lost as lost:
            self._hung |= lost.outcome is Outcome.TIMED_OUT
            raise

    def _asked(self, do: str, value: list[Any], seconds: float) -> Answer:
        try:
            if len(self.left) >= LEFT:
                self._turn.ask("forget", self._forgotten(), seconds)
            return self._turn.ask(do, value, seconds)
        except wire.BadFrame as error:  # only what came from the code itself can be too much to go back
            raise StudentError(f"what the code gave cannot be used: {error}", None) from error

    def _told(self, answer: Answer) -> Any:
        if answer.ok:
            return answer.value
        raise self.account.error(_record(answer.value))

    def _ask_all(self, requests: list[tuple[str, list[Any]]]) -> list[Answer]:
        answers = self._turn.ask_all([("forget", self._forgotten()), *requests])
        if answers is None:
            raise _Apart
        return answers[1:]

    def _forgotten(self) -> list[Any]:
        left, self.left = self.left, []
        return [left]

    def _made(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> BoxedModule:
        made = self.ask("construct", [list(args), dict(kwargs), self._dtype])
        if type(made) is not list or len(made) != 3:
            raise interfered()
        handle, shapes, frozen = made
        if type(frozen) is not list or not all(type(name) is str for name in frozen):
            raise interfered()
        return self.behind(handle, None if shapes is None else _shapes(shapes), frozen)

    def _greet(self, kind: Any, value: Any) -> None:
        symbol = self._source.symbol
        if kind == "tensor" and isinstance(value, Tensor) and value.numel() > VALUES:
            self.problem = f"{symbol} has {value.numel():,} values, more than can be judged ({VALUES:,})"
        elif kind == "tensor" and isinstance(value, Tensor):
            self.value = value
        elif kind == "absent":
            self.problem = self.account.absent(symbol)
        elif kind == "tensor":
            self.problem = plain(f"{symbol} should be a plain tensor, but is {unlike_a_tensor(value)}", 300)
        elif kind not in ("function", "class"):
            self.problem = plain(f"{symbol} should be a function or a class, but is of type {kind}", 300)


def _sent(args: Sequence[Any]) -> list[Any]:
    """Arguments as they cross: what is in the box already goes as its number."""
    return [a.handle if isinstance(a, BoxedModule) else a for a in args]


def _record(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _shapes(told: Any) -> dict[str, Shape] | None:
    if type(told) is not dict or not all(_is_shape(shape) for shape in told.values()):
        raise interfered()
    shapes = {str(name): tuple(shape) for name, shape in told.items()}
    # Shapes are only told; tensors of a large size are made of nothing but tensors that really came.
    return shapes if sum(map(math.prod, shapes.values())) <= PARAMETERS else None


def _is_shape(told: Any) -> bool:
    return type(told) is list and all(type(size) is int and size >= 0 for size in told)
