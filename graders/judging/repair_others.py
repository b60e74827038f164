"""Find several places where code is wrong: an edit for each check, and on top of one another for the core."""

from collections.abc import Container

from graders.candidate.remote_candidate import RemoteCandidate
from graders.check_api.check import Check
from graders.check_api.compare import Violation
from graders.judging.repair_checks import Found, Wrong, repair_checks
from graders.judging.search_edits import holds_on
from graders.judging.smallest_failure import Failure
from graders.results.result import Repair

MOST = 500  # edits that are tried where one is not enough
MOST_FIRST = 3  # checks for each of which an edit is looked for


def repair_others(wrong: Wrong, repaired: Container[str], *, core: bool) -> dict[str, tuple[Repair, ...]]:
    """By check, the edits after which it holds, of those that fail beside the core checks.

    Of two mistakes one often shows by itself in a check that compares the code with itself. An edit that
    repairs this one is a place of its own.

    Args:
        wrong: the code.
        repaired: the checks for which an edit is known.
        core: whether the core checks need another edit; it is looked for in code that has the first one.
    """
    left, found = [MOST], dict[str, tuple[Repair, ...]]()
    others = [each for each in wrong.failures if not each.check.core and each.check.name not in repaired]
    for failure in [each for each in others if not each.check.needs_reference][:MOST_FIRST]:
        if failure.check.name not in found and (first := repair_checks(wrong, [failure], left)):
            found = first.by_check | found
            if core:
                return _repair_the_rest(wrong, first, left) | found
    return found


def _repair_the_rest(wrong: Wrong, first: Found, left: list[int]) -> dict[str, tuple[Repair, ...]]:
    """By check, the edit after which the core checks hold in code that has the first edit."""
    source = first.change.source(wrong.candidate.source)
    with wrong.new_session() as session:
        edited = wrong.candidate.in_session(session, source, wrong.candidate.mask_reading)
        edited.load()
        core = [check for check in wrong.judge.exercise.value_checks if check.core]
        targets = [failure for check in core if (failure := _fails(wrong, edited, check))]
    with first.change.edit.made():
        second = repair_checks(wrong, targets, left, beside=(first.change, edited))
        return second.by_check if second else {}


def _fails(wrong: Wrong, edited: RemoteCandidate, check: Check) -> Failure | None:
    """A draw on which the check fails for this code."""
    for example in wrong.judge.draws.for_check(wrong.judge.exercise, check):
        failure = Failure(check, example, Violation(""), "", edited.mask_reading)
        if not holds_on(failure, edited):
            return failure
    return None
