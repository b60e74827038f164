"""Find the draw on which a check fails in the same way, and that shows it best: plainly, then by its size."""

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from graders.check_api.check import Check
from graders.check_api.compare import Violation
from graders.check_api.mask_sense import MaskArgument, Reading
from graders.course.exercise import Exercise
from graders.judging.another_answer import AnotherAnswer, is_wrong, kind_of
from graders.judging.draws import Draws
from graders.judging.kept_draws import Example
from graders.judging.plainness import is_plain, relative_difference
from graders.judging.search_time import SearchTime
from graders.sandbox.session import Session

FAINT = 6  # draws on which a check fails faintly, at most: some faults are faint on all


class Tries(Protocol):
    """Tries checks of an exercise on one submission's code."""

    @property
    def exercise(self) -> Exercise:
        """The exercise."""

    @property
    def draws(self) -> Draws:
        """Those of the run."""

    @property
    def session(self) -> Session:
        """The one with the code."""

    def try_on(self, check: Check, example: Example) -> Exception | str | None:
        """How a check fails on a draw, if it does."""


@dataclass(frozen=True)
class Failure:
    """How a check failed on a draw."""

    check: Check
    example: Example
    failure: Exception
    printed: str
    mask_reading: tuple[MaskArgument, Reading] | None  # in which it failed


def find_smallest(judge: Tries, first: Failure) -> tuple[Example, Exception]:
    """The draw that shows the failure best, and how; the first, where others do not always fail.

    What the code has printed on this draw alone is what the session has printed afterwards.
    """
    if isinstance(first.failure, AnotherAnswer):
        return first.example, first.failure
    shown = _plainest(_failures(judge, first))
    if shown is None or shown.example is first.example:
        again = judge.try_on(first.check, first.example)
        judge.session.printed = first.printed
        holds = not isinstance(again, Exception)
        failure = AnotherAnswer(first.failure) if holds and is_wrong(first.failure) else first.failure
        return first.example, failure
    judge.session.printed = shown.printed
    return shown.example, shown.failure


def _plainest(failures: Iterator[Failure]) -> Failure | None:
    """The first that is plain; of faint ones, the first with the largest difference, to a power of ten."""
    faint: list[Failure] = []
    for failure in failures:
        if is_plain(failure.failure):
            return failure
        faint.append(failure)
        if len(faint) == FAINT:
            break
    return max(faint, key=lambda each: _magnitude(each.failure), default=None)


def _magnitude(failure: Exception) -> float:
    difference = relative_difference(failure)
    return math.floor(math.log10(difference)) if difference else -math.inf


def _failures(judge: Tries, first: Failure) -> Iterator[Failure]:
    """The draws that fail as the first did, the simplest first, until the search has to end."""
    search = SearchTime(lambda exactly: judge.session.spent(exactly=exactly))
    parts = judge.draws.small_cases(
        judge.exercise, first.check, first.example, sizes_matter=isinstance(first.failure, Violation)
    )
    tries = itertools.count(1)
    for part in parts:
        found = False
        for example in part:
            if example is first.example:
                found = True
                yield first
                break  # what comes later is no simpler
            if next(tries) > judge.draws.tries or search.is_over():
                return
            judge.session.printed = ""
            failure = judge.try_on(first.check, example)
            if isinstance(failure, Exception) and kind_of(failure) == kind_of(first.failure):
                found = True
                yield Failure(first.check, example, failure, judge.session.printed, first.mask_reading)
        if found:
            return
