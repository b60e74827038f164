"""Does an answer depend on the input and on the weights?

`Check.judge` asks this after each check that compares the code's own answers with one another. Code that
returns a constant, or its input, would pass most of these: it answers a sequence alone as in a batch.
No check has to ask by itself, so none can forget to.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from graders.check_api.candidate import Called, Candidate, Module
from graders.check_api.compare import require
from graders.check_api.options import Options
from graders.check_api.properties import NOT_USED, call_with_other_weights
from graders.check_api.strategies.drawn import Drawn
from graders.language import tr

OTHER = 10  # added to the seed of a module's weights, for others than any that a check loads


@dataclass(frozen=True)
class FirstCall:
    """The first call that a check made in evaluation mode, and its answer."""

    called: "Called | WatchedModule"
    arguments: Sequence[Any]
    answer: Any


class WatchedModule:
    """A module that tells the watch its first call, and whether it was changed since."""

    def __init__(self, module: Module, watch: "WatchedCandidate", seed: int | None = None) -> None:
        self.module, self._watch = module, watch
        self.seed = seed  # of its random weights; None where its own initialisation made them
        self.is_changed, self._in_training = False, False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.module, name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The module's answer."""
        answer = self.module(*args, **kwargs)
        if not self._in_training and not kwargs:
            self._watch.keep_first(self, args, answer)
        return answer

    def load(self, parameters: Mapping[str, Tensor], dtype: Any = None) -> "WatchedModule":
        """Set parameters by name."""
        self.module, self.is_changed = self.module.load(parameters, dtype), True
        return self

    def train(self, mode: bool = True) -> "WatchedModule":
        """Training or evaluation mode."""
        self.module, self.is_changed, self._in_training = self.module.train(mode), True, mode
        return self

    def to(self, dtype: Any) -> "WatchedModule":
        """Change its floating-point dtype."""
        self.module, self.is_changed = self.module.to(dtype), True
        return self

    def train_steps(self, *args: Any, steps: int, rate: float) -> "WatchedModule":
        """Train it on one batch."""
        self.module, self.is_changed = self.module.train_steps(*args, steps=steps, rate=rate), True
        return self


class WatchedCandidate:
    """A candidate whose first call is kept: it is repeated for another input and for other weights."""

    def __init__(self, candidate: Candidate) -> None:
        self._candidate = candidate
        self._first: FirstCall | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._candidate, name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The function's answer."""
        answer = self._candidate(*args, **kwargs)
        if not kwargs:
            self.keep_first(self._candidate, args, answer)
        return answer

    def construct(self, /, *args: Any, **kwargs: Any) -> WatchedModule:
        """A module of the student's class, in evaluation mode."""
        return WatchedModule(self._candidate.construct(*args, **kwargs), self)

    def with_random_weights(self, seed: int, **config: Any) -> WatchedModule:
        """The same with random parameters from a seed."""
        return WatchedModule(self._candidate.with_random_weights(seed, **config), self, seed)

    def method_of(self, module: Any, name: str) -> Called:
        """A method of one of its modules."""
        return self._candidate.method_of(_unwatched(module), name)

    def start_anew(self) -> None:
        """Go on in a new process; the modules made before are gone, and with them the first call."""
        self._first = None
        self._candidate.start_anew()

    def keep_first(self, called: "Called | WatchedModule", arguments: Sequence[Any], answer: Any) -> None:
        """Keep a call if it is the first."""
        if self._first is None:
            self._first = FirstCall(called, arguments, answer)

    def require_dependence(self, draw: Any, options: Options) -> None:
        """Require another output for another input, and for other weights. A module keeps other weights.

        Nothing is required of a function whose draws do not say which argument its answer depends on.

        Args:
            draw: the check's draw.
            options: of the exercise.

        Raises:
            Violation: the output is the same.
            Raised: the code raises for the other input.
        """
        first = self._first
        if first is None:
            return
        called, places = first.called, draw.alive_at if isinstance(draw, Drawn) else ()
        if isinstance(called, WatchedModule):
            places = places or (0,)
            if called.is_changed:
                first = _call_again(called, first.arguments)
        for place in places:
            if place < len(first.arguments):
                _require_dependence_on_input(first, place, draw, options.read)
        if isinstance(called, WatchedModule) and called.seed is not None and options.learns:
            given = first.arguments
            other = call_with_other_weights(called.module, given, called.seed + OTHER)
            before, after = (options.read(answer, given[0]) for answer in (first.answer, other))
            require(not torch.equal(after, before), tr(NOT_USED))


def _call_again(called: WatchedModule, arguments: Sequence[Any]) -> FirstCall:
    """The same call of a module that has been changed since, in evaluation mode and the arguments' dtype."""
    floats = [a.dtype for a in arguments if isinstance(a, Tensor) and a.is_floating_point()]
    called.train(False)
    if floats:
        called.to(floats[0])
    return FirstCall(called, arguments, called.module(*arguments))


def _require_dependence_on_input(
    first: FirstCall, place: int, draw: Any, read: Callable[[Any, Any], Tensor]
) -> None:
    called = first.called.module if isinstance(first.called, WatchedModule) else first.called
    given = list(first.arguments)
    before = read(first.answer, given[0])
    may_be_normalised = place == 0 and isinstance(first.called, WatchedModule)
    others = list(_other_inputs(given[place], getattr(draw, "config", {}), may_be_normalised))
    if not others:
        return
    for other in others:
        answer = called(*given[:place], other, *given[place + 1 :])
        if not torch.equal(read(answer, given[0]), before):
            return
    name = draw.argument_names[place] if isinstance(draw, Drawn) else "x"
    require(False, tr("this cannot be judged: the output does not depend on {what}", what=name))


def _other_inputs(value: Any, config: Mapping[str, Any], may_be_normalised: bool) -> Iterator[Tensor]:
    """Inputs for which a right answer is another, at least for one of them; none where there is none.

    Not 2 x + 1 first, which a norm undoes. With one column, a norm leaves nothing of x. Ids are below
    `vocab_size`, or not above the greatest of them.
    """
    if not isinstance(value, Tensor) or value.numel() == 0:
        return
    if value.is_floating_point():
        if not may_be_normalised or value.shape[-1] > 1:
            yield value.square() + value
            yield 2 * value + 1
    elif value.dtype == torch.int64:
        other = (value + 1) % config.get("vocab_size", value.max() + 1)
        if not torch.equal(other, value):
            yield other


def _unwatched(module: Any) -> Any:
    return module.module if isinstance(module, WatchedModule) else module
