"""What answers of ours cost: they run in the box, where the checks of cost measure them."""

from collections.abc import Callable
from typing import Any

from graders.audit.try_answer import try_answer
from graders.course.exercise import Exercise
from graders.grade import Grader
from graders.language import tr
from graders.results.audit_result import Kind, Tried
from graders.results.result import Outcome
from graders.timing.growth_check import judge_growth
from graders.timing.sources import read_reference_source


def try_costs(grader: Grader, exercise: Exercise, kind: Kind, name: str, tried: Tried) -> Tried:
    """An answer that was tried, with the checks of cost that it fails among its failed ones.

    Args:
        grader: of this exercise alone.
        exercise: the exercise.
        kind: what the answer is.
        name: that of the answer in the exercise's solution.
        tried: what the other checks say to it.
    """
    checks = [check for check in exercise.checks if check.grows_as is not None]
    if not checks or tried.outcome is not Outcome.PASSED:
        return tried
    failed, message, named = list(tried.failed), tried.message, tried.named
    for check in checks:
        source = read_reference_source(exercise.name, name)
        assert source is not None, name
        verdict = judge_growth(grader.box, check, source)
        if verdict.outcome is not Outcome.PASSED:
            failed.append(check.name)
            message = verdict.message
            named = ((f"{exercise.symbol}__{verdict.mistake}",),) if verdict.mistake else ()
    return Tried(
        kind=kind,
        name=name,
        outcome=Outcome.FAILED if failed else Outcome.PASSED,
        failed=tuple(failed),
        named=named,
        message=message,
    )


def try_costly_mistake(grader: Grader, exercise: Exercise, name: str, make: Callable[[], Any]) -> Tried:
    """A known mistake that answers rightly: the checks of answers hold, and one of cost must not."""
    tried = try_answer(exercise, grader.draws, Kind.RIGHT, name, make)
    tried = try_costs(grader, exercise, Kind.MISTAKE, name, tried)
    wrong = [check.name for check in exercise.value_checks if check.name in tried.failed]
    if wrong:
        message = tr(
            "a mistake of cost alone should answer rightly, but fails {checks}", checks=", ".join(wrong)
        )
        return Tried(
            kind=Kind.MISTAKE,
            name=name,
            outcome=Outcome.BROKEN,
            failed=(wrong[0],),
            named=(),
            message=message,
        )
    return tried
