"""Find the smallest case of a check that fails as a test says, without code of a student's."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from graders.check_api.check import Check, Violation
from graders.course.exercise import Exercise
from graders.judging.draws import Draws
from graders.judging.kept_draws import Example
from graders.judging.smallest_failure import Failure, find_smallest


def smallest(
    draws: Draws, exercise: Exercise, check: Check, first: Example, fails: Callable[[Example], object]
) -> Example:
    """The case that is shown where `check` failed on `first`.

    `fails` gives the failure on a draw, or whether there is one, whose message then says all.
    """

    def try_on(_: Check, example: Example) -> Exception | None:
        failure = fails(example)
        return failure if isinstance(failure, Exception) else Violation("it fails") if failure else None

    session = SimpleNamespace(spent=lambda exactly: 0.0, printed="")
    judge: Any = SimpleNamespace(exercise=exercise, draws=draws, session=session, try_on=try_on)
    failure = try_on(check, first) or Violation("it failed")
    return find_smallest(judge, Failure(check, first, failure, "", None))[0]
