"""Find the smallest draw on which a check fails in the same way."""

from dataclasses import dataclass
from typing import Protocol

from graders.check_api.check import Check
from graders.check_api.compare import Violation
from graders.check_api.mask_sense import MaskArgument, Reading
from graders.course.exercise import Exercise
from graders.judging.another_answer import AnotherAnswer, is_wrong, kind_of
from graders.judging.draws import Draws
from graders.judging.kept_draws import Example
from graders.sandbox.session import Session


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
    """How a check failed first."""

    check: Check
    example: Example
    failure: Exception
    printed: str
    mask_reading: tuple[MaskArgument, Reading] | None  # in which it failed


def find_smallest(judge: Tries, first: Failure) -> tuple[Example, Exception]:
    """The smallest draw that fails the same way, and how; the first, where others do not always fail."""
    check, example, failure = first.check, first.example, first.failure
    if isinstance(failure, AnotherAnswer):
        return example, failure

    def fails_alike(other: Example) -> bool:
        return kind_of(judge.try_on(check, other)) == kind_of(failure)

    layout = isinstance(failure, Violation)
    smallest = judge.draws.smallest(
        judge.exercise,
        check,
        example,
        fails_alike,
        layout,
        lambda exactly: judge.session.spent(exactly=exactly),
    )
    again = judge.try_on(check, smallest)
    if isinstance(again, Exception) and type(again) is type(failure):
        return smallest, again
    if smallest is example and is_wrong(failure) and not isinstance(again, Exception):
        return example, AnotherAnswer(failure)
    return example, failure
