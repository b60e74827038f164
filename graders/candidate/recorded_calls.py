"""A candidate that records the answers of a check's calls; later the check runs again on these, but for one.

That one call is asked really, in a process that has answered none of the others.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from torch import Tensor

from graders.check_api.candidate import Gradients, ObservedCall, Raised, Seeded
from graders.check_api.check import Check
from graders.check_api.noticed import gather_compared, place_in_memory
from graders.check_api.reference_answer import ReferenceAnswer

# In the recorded answers to one draw, those of right code have some thousands of values. Of more than USUAL,
# few are kept for a whole submission.
USUAL_VALUES, MOST_VALUES = 1_000_000, 4_000_000


class AskedAgain(Exception):
    """Ends a check that runs again: the call that was chosen has been asked.

    `answer` is what came, or what the code raised.
    """

    def __init__(self, answer: Any) -> None:
        super().__init__()
        self.answer = answer


@dataclass
class Record:
    """The calls that a check makes for one draw, in their order.

    Attributes:
        answers: what came of each, or what the code raised.
        repeatable: the numbers of those that must answer the same in any process: no training, no seed.
        weights: of each module some of whose weights are not ours, as its own initialisation made them.
        compared: the numbers of those whose answers the check compared with other answers of the same code.
        repeated: the numbers of those with the arguments of an earlier call.
        chosen: where the check runs again, the call that is really asked.
        with_history: whether the calls before it are asked as well, and their answers are left alone.
        values: how many numbers the answers have.
        is_of_another_process: whether the check has started a process of its own.
    """

    answers: list[Any] = field(default_factory=list)
    repeatable: list[int] = field(default_factory=list)
    compared: list[int] = field(default_factory=list)
    repeated: set[int] = field(default_factory=set)
    chosen: int | None = None
    with_history: bool = False
    values: int = 0
    is_of_another_process: bool = False
    weights: list[Mapping[str, Tensor]] = field(default_factory=list)
    _given: list[list[Any]] = field(default_factory=list)
    _next: int = 0
    _made: int = 0

    @property
    def is_too_large(self) -> bool:
        """Whether the answers are too many numbers to be kept for a whole submission, and are not."""
        return self.values > MOST_VALUES

    @property
    def is_large(self) -> bool:
        """Whether the answers are so many numbers that few such records may be kept."""
        return self.values > USUAL_VALUES

    def drop_answers(self) -> None:
        """Keep no answers: they count as too large from now on."""
        self.answers = [None] * len(self.answers)
        self.values = MOST_VALUES + 1

    @property
    def may_compare(self) -> bool:
        """Whether the check compared answers of the same code, as far as it is known of large ones."""
        return bool(self.compared) or (self.is_too_large and len(self.answers) > 1)

    def judge(self, check: Check, candidate: Any, draw: Any, *answer: Any) -> str | None:
        """Judge a check on a draw, and record its calls."""
        with gather_compared() as compared:
            remark = check.judge(RecordedCandidate(candidate, self), draw, *answer)
        self._given.clear()
        places = [_places(answer) for answer in self.answers]
        self.compared = [n for n in self.repeatable if places[n] & compared]
        return remark

    def call(self, ask: Callable[[], Any], given: list[Any], *, repeatable: bool) -> Any:
        """The answer to a call: asked and recorded; or, where the check runs again, as it was recorded.

        Raises:
            AskedAgain: it is the call that was chosen.
        """
        if self.chosen is None:
            return self._record(ask, given, repeatable=repeatable)
        number, self._next = self._next, self._next + 1
        if number >= self.chosen:
            raise AskedAgain(_answer_or_error(ask))
        if self.with_history:
            _answer_or_error(ask)
        recorded = self.answers[number]
        if isinstance(recorded, Raised):
            raise recorded
        return recorded

    def asked_again(self, chosen: int, *, with_history: bool) -> "Record":
        """The same calls, of which one is asked again."""
        return replace(self, chosen=chosen, with_history=with_history, _next=0, _made=0)

    def make(self, module: Any) -> Any:
        """A new module; where the check runs again, with the weights that it had."""
        if self.chosen is None:
            self.weights.append(module.parameters())
            self.values += _count(self.weights[-1])
            return module
        number, self._made = self._made, self._made + 1
        return module.load(self.weights[number]) if self.weights[number] else module

    def _record(self, ask: Callable[[], Any], given: list[Any], *, repeatable: bool) -> Any:
        if any(_are_the_same(given, earlier) for earlier in self._given):
            self.repeated.add(len(self.answers))
        self._given.append(given)
        answer = _answer_or_error(ask)
        self.values += _count(answer)
        if repeatable and not isinstance(answer, Raised):
            self.repeatable.append(len(self.answers))
        self.answers.append(answer)
        if self.is_too_large:
            self.answers = [None] * len(self.answers)
        if isinstance(answer, Raised):
            raise answer
        return answer


class RecordedCallable:
    """Something in the box that can be called, and whose calls a record has.

    `known`: whether its answers depend on nothing but weights and arguments.
    """

    def __init__(self, called: Any, record: Record, *, known: bool) -> None:
        self.called, self._record, self._known = called, record, known

    def __getattr__(self, name: str) -> Any:
        return getattr(self.called, name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The answer."""
        given = _plain(args)
        return self._record.call(lambda: self.called(*given, **kwargs), given, repeatable=self._known)

    def observed_call(self, *args: Any, **kwargs: Any) -> ObservedCall:
        """The answer and the effects of a call."""
        given = _plain(args)
        call: ObservedCall = self._record.call(
            lambda: self.called.observed_call(*given, **kwargs), given, repeatable=self._known
        )
        return call

    def seeded(self, seed: int, *args: Any) -> Seeded:
        """The answer of a call under a seed."""
        given = _plain(args)
        call: Seeded = self._record.call(lambda: self.called.seeded(seed, *given), given, repeatable=False)
        return call

    def gradients(self, *args: Any, upstream: Sequence[Tensor | None]) -> Gradients:
        """The gradients of a call."""
        given = _plain(args)
        call: Gradients = self._record.call(
            lambda: self.called.gradients(*given, upstream=upstream), given, repeatable=False
        )
        return call


class RecordedModule(RecordedCallable):
    """A module whose calls a record has. Those before it was in training mode can be asked again."""

    def load(self, *how: Any, **named: Any) -> "RecordedModule":
        """Set parameters by name."""
        self.called = self.called.load(*how, **named)
        return self

    def train(self, mode: bool = True) -> "RecordedModule":
        """Training or evaluation mode; what comes after training mode may follow from that."""
        self.called, self._known = self.called.train(mode), self._known and not mode
        return self

    def to(self, dtype: Any) -> "RecordedModule":
        """Change its floating-point dtype."""
        self.called = self.called.to(dtype)
        return self

    def train_steps(self, *args: Any, **how: Any) -> "RecordedModule":
        """Train it on one batch."""
        self.called, self._known = self.called.train_steps(*args, **how), False
        return self


class RecordedCandidate(RecordedCallable):
    """A candidate whose calls, and those of its modules, a record has."""

    def __init__(self, candidate: Any, record: Record) -> None:
        super().__init__(candidate, record, known=True)

    def construct(self, /, *args: Any, **kwargs: Any) -> RecordedModule:
        """A module of the student's class, in evaluation mode."""
        named = dict(zip(kwargs, _plain(list(kwargs.values())), strict=True))
        return self._module(self._record.make(self.called.construct(*_plain(args), **named)))

    def start_anew(self) -> None:
        """Go on in a new process, which knows nothing of the one before."""
        self._record.is_of_another_process = True
        self.called.start_anew()

    def with_random_weights(self, seed: int, **config: Any) -> RecordedModule:
        """The same with random parameters from a seed."""
        return self._module(self.called.with_random_weights(seed, **config))

    def with_reference_weights(self, answer: ReferenceAnswer) -> RecordedModule:
        """The same with the reference's parameters; those that it has besides stay as they were made."""
        module = self.called.with_reference_weights(answer)
        due = sum(value.numel() for value in answer.parameters.values())
        if sum(map(math.prod, module.shapes().values())) > due:
            module = self._record.make(module)
        return self._module(module)

    def method_of(self, module: Any, name: str) -> RecordedCallable:
        """A method of one of its modules."""
        known = isinstance(module, RecordedModule) and module._known
        return RecordedCallable(self.called.method_of(_plain([module])[0], name), self._record, known=known)

    def _module(self, module: Any) -> RecordedModule:
        return RecordedModule(module, self._record, known=True)


def _plain(values: Sequence[Any]) -> list[Any]:
    """The values, with modules as the candidate made them."""
    return [value.called if isinstance(value, RecordedCallable) else value for value in values]


def _are_the_same(given: list[Any], earlier: list[Any]) -> bool:
    return len(given) == len(earlier) and all(a is b for a, b in zip(given, earlier, strict=True))


def _answer_or_error(ask: Callable[[], Any]) -> Any:
    try:
        return ask()
    except Raised as error:
        return error.with_traceback(None)


def _tensors(answer: Any) -> Iterator[Tensor]:
    """The tensors in an answer."""
    if isinstance(answer, Tensor):
        yield answer
    elif isinstance(answer, ObservedCall | Seeded | Gradients):
        yield from _tensors(list(vars(answer).values()))
    elif isinstance(answer, Mapping | tuple | list):
        for part in answer.values() if isinstance(answer, Mapping) else answer:
            yield from _tensors(part)


def _count(answer: Any) -> int:
    """The numbers in an answer."""
    return sum(tensor.numel() for tensor in _tensors(answer))


def _places(answer: Any) -> set[int]:
    """Where in memory the numbers of an answer lie."""
    return {place_in_memory(tensor) for tensor in _tensors(answer) if tensor.numel()}
