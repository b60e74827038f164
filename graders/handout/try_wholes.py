"""Try wholes as a run does, so that they ask their parts what they ask there: the reference, and mistakes."""

import contextlib
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from graders.candidate.local_candidate import LocalCandidate
from graders.candidate.parameter_mapping.mapping import Undecidable
from graders.check_api.candidate import Raised
from graders.check_api.check import Check
from graders.check_api.compare import Violation
from graders.course.exercise import Exercise
from graders.course.reference import reference
from graders.diagnosis.fingerprint import answer_to, fingerprint, is_behaviour_trial
from graders.judging.draws import Draws
from graders.judging.kept_draws import Example

FEW = 4  # draws of a check on which a mistake of the whole is tried: nearly all show on these
Begin = Callable[[], None]  # called before each check
Showing = Sequence[tuple[Check, Example]]


def try_whole(exercise: Exercise, draws: Draws, whole: Any, begin: Begin) -> None:
    """Try the reference's whole on all draws of the checks, and look at it on the diagnostic draws."""
    candidate = LocalCandidate(whole, partial(draws.mapping_draws, exercise))
    for check in exercise.checks:
        begin()
        if draws.decidable(exercise, check):
            for example in draws.for_check(exercise, check):
                _fails(check, candidate, example)
    begin()
    for draw in draws.diagnostic_draws(exercise):
        if not is_behaviour_trial(draw):
            fingerprint(candidate, draw, whole)


def draws_that_show(exercise: Exercise, draws: Draws, mistake: Any) -> Showing:
    """The checks that a mistake of the whole fails on one of few draws, each with the first such draw."""
    candidate = LocalCandidate(mistake, partial(draws.mapping_draws, exercise))
    showing = []
    for check in exercise.checks:
        examples = draws.for_check(exercise, check)[:FEW] if draws.decidable(exercise, check) else []
        failing = next((e for e in examples if _fails(check, candidate, e)), None)
        if failing is not None:
            showing.append((check, failing))
    return showing


def try_mistake(exercise: Exercise, draws: Draws, mistake: Any, showing: Showing, begin: Begin) -> None:
    """Try a mistake of the whole on one draw of each check that fails, and ask for its diagnostic answers.

    One failing draw decides a check, and the values of answers are enough to name a mistake: all draws, with
    gradients, would make a key several times as large.
    """
    candidate = LocalCandidate(mistake, partial(draws.mapping_draws, exercise))
    for check, example in showing:
        begin()
        _fails(check, candidate, example)
    begin()
    whole = reference(exercise.name, exercise.symbol)
    for draw in draws.diagnostic_draws(exercise):
        if not is_behaviour_trial(draw):
            with contextlib.suppress(Raised):
                answer_to(candidate, draw, whole, frozenset())


def _fails(check: Check, candidate: LocalCandidate, example: Example) -> bool:
    try:
        check.judge(candidate, example.draw, *example.answer)
    except (Violation, Raised, Undecidable):
        return True
    return False
