"""The draws of every check, each with the reference's answer: made once per run, used for all submissions.

The run's seed determines them. Only where a check fails, Hypothesis draws again to find the smallest case.
"""

import contextlib
import copy
import os
import time
import zlib
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import partial
from typing import Any

import torch
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.errors import HypothesisException
from torch import Tensor

from graders.check_api.check import Check
from graders.check_api.compare import Target
from graders.check_api.reference_answer import Recipe, ReferenceAnswer
from graders.check_api.usual_sizes import UsualSize
from graders.course.exercise import Exercise
from graders.course.reference import mistakes, reference
from graders.diagnosis.cast_draw import cast
from graders.diagnosis.fingerprint import is_behaviour_trial
from graders.diagnosis.known_mistakes import KnownMistakes
from graders.judging.layout_sizes import shows_layout
from graders.judging.mapping_draws import for_mapping

# Hypothesis would create a folder in the working directory; nothing needs to be stored.
set_hypothesis_home_dir(os.devnull)

LOOSER = {"cpu": 1.0, "cuda": 4.0}  # factor on the tolerance: GPUs sum in another order, with a faster exp
MORE = 4  # times as many draws are looked through for one whose sizes show the layout
TRIES = 60  # calls of a check to find the smallest of those draws: a small one is good enough
SHRINKS = 300  # calls of a check to find the smallest case, at most
SHRINK_S = 5.0  # seconds for that search; only very slow code takes so long
SMALL = 1_000  # draws of such searches, kept with their answers for later submissions that fail


@dataclass(frozen=True, eq=False)
class Example:
    """A draw, and the answer to it where the check has one."""

    draw: Any
    answer: tuple[Any, ...]


@dataclass
class _Kept:
    """What is made once per run, by the exercise's name and by what else it depends on."""

    examples: dict[tuple[str, str], list[Example]] = field(default_factory=dict)
    mapping_draws: dict[str, list[ReferenceAnswer]] = field(default_factory=dict)
    known_mistakes: dict[str, KnownMistakes | None] = field(default_factory=dict)
    small: dict[tuple[Hashable, ...], Example] = field(default_factory=dict)


class Draws:
    """The draws of one run.

    `shrinks`: maximum shrink attempts; 0 shows the first failure.
    The reference's rounding is measured on the CPU: on another `device` tolerances are wider. With a `dtype`,
    all floating-point tensors of draws are cast to it.
    """

    def __init__(
        self, run_seed: int, shrinks: int = SHRINKS, device: str = "cpu", dtype: torch.dtype | None = None
    ) -> None:
        # Draws are small: several threads would be slower, and a process that has used several threads
        # cannot be forked safely.
        torch.set_num_threads(1)
        self.seed = run_seed
        self._shrinks = shrinks
        self.dtype = dtype
        self._looser = LOOSER[device]
        self._most: int | None = None
        self._kept = _Kept()
        self._kept_at_usual_sizes: dict[tuple[str, ...], _Kept] = {}

    def decidable(self, exercise: Exercise, check: Check) -> bool:
        """Whether the check can be decided here: it needs no reference, or there is one."""
        return not check.needs_reference or reference(exercise.name, exercise.symbol) is not None

    def for_check(self, exercise: Exercise, check: Check) -> list[Example]:
        """The draws of a check with their answers, the same for every submission."""
        key = (exercise.name, check.name)
        if key not in self._kept.examples:
            drawn = _drawn(check, self._seed_of(key))
            self._kept.examples[key] = [self._with_answer(exercise, check, draw) for draw in drawn]
        return self._kept.examples[key][: self._most]

    def first(self, most: int | None) -> "Draws":
        """The same draws, but at most `most` of each check."""
        fewer = copy.copy(self)
        fewer._most = most
        return fewer

    def without_search(self) -> "Draws":
        """The same draws; the first that fails is not made smaller."""
        same = copy.copy(self)
        same._shrinks = 0
        return same

    def at_usual_sizes(self, sizes: Sequence[UsualSize]) -> "Draws":
        """Draws of the same run, kept apart: for exercises in which these sizes have their usual values."""
        apart = copy.copy(self)
        names = tuple(size.argument for size in sizes)
        apart._kept = self._kept_at_usual_sizes.setdefault(names, _Kept())
        return apart

    def diagnostic_draws(self, exercise: Exercise) -> list[Any]:
        """Fresh draws of an exercise, which none of its checks uses."""
        return exercise.diagnostic_draws(self._seed_of((exercise.name, "trials")))

    def mapping_draws(self, exercise: Exercise) -> list[ReferenceAnswer]:
        """The reference's answers to diagnostic draws of one configuration; [] unless it is a class."""
        if exercise.name not in self._kept.mapping_draws:
            symbol = reference(exercise.name, exercise.symbol)
            # Functions have no parameters.
            draws = self.diagnostic_draws(exercise) if isinstance(symbol, type) else []
            same = [d for d in draws if not is_behaviour_trial(d) and d.config == draws[0].config]
            recipe = Recipe(symbol, mistakes=partial(mistakes, exercise.name, exercise.symbol))
            self._kept.mapping_draws[exercise.name] = [recipe.answer(draw) for draw in for_mapping(same)]
        return self._kept.mapping_draws[exercise.name]

    def known_mistakes(self, exercise: Exercise) -> KnownMistakes | None:
        """The known mistakes of an exercise, on its diagnostic draws; None without these or a reference."""
        if exercise.name not in self._kept.known_mistakes:
            draws = self.diagnostic_draws(exercise)
            known = bool(draws) and reference(exercise.name, exercise.symbol) is not None
            self._kept.known_mistakes[exercise.name] = KnownMistakes(exercise, draws) if known else None
        return self._kept.known_mistakes[exercise.name]

    def prepare(self, exercises: Iterable[Exercise]) -> None:
        """Make all their draws now: processes forked later share them, and no submission waits for them."""
        for exercise in exercises:
            for check in exercise.checks:
                if self.decidable(exercise, check):
                    self.for_check(exercise, check)

    def smallest(
        self,
        exercise: Exercise,
        check: Check,
        first: Example,
        fails: Callable[[Example], bool],
        layout: bool = True,
    ) -> Example:
        """The smallest failing draw that is found within the limits of attempts and time; else `first`.

        Where a draw fails whose sizes show the layout, only such draws are looked at: at H = S = D = 1 the
        reader sees no difference between a right answer and a wrong one.

        Args:
            exercise: the exercise.
            check: the check that fails.
            first: its first failing draw; the draws before it are not tried again.
            fails: whether a draw fails in the same way as `first`.
            layout: whether a draw is wanted whose sizes show the layout, where one fails.
        """
        if not self._shrinks:
            return first
        search = partial(self._search, exercise, check, first, fails)
        shown = search(shows_layout, MORE * check.draws, TRIES) if layout else None
        return shown or search(lambda _: True, check.draws, self._shrinks) or first

    def _search(
        self,
        exercise: Exercise,
        check: Check,
        first: Example,
        fails: Callable[[Example], bool],
        looks_at: Callable[[Any], bool],
        most: int,
        most_tries: int,
    ) -> Example | None:
        """The smallest failing draw of those that are looked at, of `most` draws and what they shrink to."""
        best, tries, until = first if looks_at(first.draw) else None, 0, time.monotonic() + SHRINK_S
        tried = self._up_to(exercise, check, first)

        @seed(self._seed_of((exercise.name, check.name)))
        @_settings(most, Phase.generate, Phase.shrink)
        @given(check.given)
        def search(draw: Any) -> None:
            nonlocal best, tries
            if not looks_at(draw):
                return
            example = self._cached(exercise, check, draw)
            if example in tried:
                failed = example is first
            else:
                tries += 1
                failed = tries <= most_tries and time.monotonic() < until and fails(example)
            if failed:
                best = example
                raise _Smaller

        # Beyond the limits a failure is not reproduced, which Hypothesis reports as flaky.
        with contextlib.suppress(_Smaller, HypothesisException):
            search()
        return best

    def _up_to(self, exercise: Exercise, check: Check, first: Example) -> list[Example]:
        """The check's draws up to the first that fails. Hypothesis will draw these again, in this order."""
        examples = self.for_check(exercise, check)
        for example in examples:
            self._kept.small.setdefault((exercise.name, check.name, contents_key(example.draw)), example)
        return examples[: examples.index(first) + 1] if first in examples else [first]

    def _cached(self, exercise: Exercise, check: Check, draw: Any) -> Example:
        """The draw with its answer, which an earlier search may have computed."""
        key = (exercise.name, check.name, contents_key(draw))
        if key not in self._kept.small:
            self._kept.small[key] = self._with_answer(exercise, check, draw)
            while len(self._kept.small) > SMALL:
                self._kept.small.pop(next(iter(self._kept.small)))
        return self._kept.small[key]

    def _with_answer(self, exercise: Exercise, check: Check, draw: Any) -> Example:
        draw = draw if self.dtype is None else cast(draw, self.dtype)
        if check.answer is None:
            return Example(draw, ())
        references = [reference(exercise.name, exercise.symbol)] if check.needs_reference else []
        answer = check.answer(draw, *references)
        return Example(draw, (answer if self._looser == 1 else loosen(answer, self._looser),))

    def _seed_of(self, key: tuple[str, str]) -> int:
        return zlib.crc32(f"{self.seed} {key[0]} {key[1]}".encode())


def contents_key(value: Any) -> Hashable:
    """A key that two draws share if and only if their contents are equal."""
    if isinstance(value, Tensor):
        data = value.contiguous().view(-1).view(torch.uint8)
        return str(value.dtype), tuple(value.shape), data.numpy().tobytes()
    if isinstance(value, dict):
        return tuple((name, contents_key(item)) for name, item in value.items())
    if is_dataclass(value) and not isinstance(value, type):
        return type(value).__name__, *(contents_key(getattr(value, field.name)) for field in fields(value))
    return repr(value)


def loosen(answer: Any, times: float) -> Any:
    """The same answer, with the tolerance of every `Target` in it multiplied by `times`."""
    if isinstance(answer, Target):
        return replace(answer, tolerance=answer.tolerance * times)
    if isinstance(answer, tuple | list):
        return type(answer)(loosen(part, times) for part in answer)
    if isinstance(answer, dict):
        return {name: loosen(part, times) for name, part in answer.items()}
    if is_dataclass(answer) and not isinstance(answer, type):
        return replace(answer, **{f.name: loosen(getattr(answer, f.name), times) for f in fields(answer)})
    return answer


class _Smaller(Exception):
    """Tells Hypothesis that a draw fails: it then looks for a smaller one."""


def _drawn(check: Check, number: int) -> list[Any]:
    drawn: list[Any] = []

    @seed(number)
    @_settings(check.draws, Phase.generate)
    @given(check.given)
    def collect(draw: Any) -> None:
        drawn.append(draw)

    collect()
    return drawn


def _settings(draws: int, *phases: Phase) -> settings:
    return settings(
        max_examples=draws,
        phases=phases,
        database=None,
        deadline=None,
        derandomize=False,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
