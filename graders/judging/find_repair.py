"""Find where code is wrong: the edit of its own syntax tree after which the checks that fail hold."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from graders.check_api.compare import Violation
from graders.course.exercise import Exercise
from graders.extraction.extract import Source
from graders.judging.judge import Judge
from graders.judging.repair_several import NewSession, repair_several, several_mistakes
from graders.judging.search_edits import Change, Search
from graders.judging.smallest_failure import Failure
from graders.results.result import Finding, Outcome, Repair

MOST_TARGETS = 3  # checks for each of which an edit is looked for, where no core check fails
WITNESSES = slice(2, 4)  # draws of a check that an edit is tried on, beside that on which the code failed
JudgeAnew = Callable[[Source], Sequence[Finding]]


def find_repairs(
    judge: Judge, findings: Sequence[Finding], judge_anew: JudgeAnew, new_session: NewSession
) -> list[Finding]:
    """The findings, with the edits after which they hold where such are found.

    Args:
        judge: has tried the checks, and knows on which draws they failed.
        findings: of the checks.
        judge_anew: the findings of the checks for another source, in a process of its own.
        new_session: a new one, in a box.
    """
    wrong = {finding.check for finding in findings if finding.outcome.failed_or_raised}
    passed = {finding.check for finding in findings if finding.outcome is Outcome.PASSED}
    failures = [each for each in (judge.failures or {}).values() if each.check.name in wrong]
    core = [each for each in failures if each.check.core]
    if core and (several := several_mistakes(findings)):
        return repair_several(judge, findings, several, new_session)
    repairs: dict[str, Repair] = {}

    def repaired(change: Change) -> frozenset[str] | None:
        after = judge_anew(change.source(judge.candidate.source))
        return _repaired_checks(judge.exercise, passed, wrong, after)

    for targets in [core] if core else [[failure] for failure in failures[:MOST_TARGETS]]:
        if any(each.check.name in repairs for each in targets):
            continue
        witnesses = _witnesses(judge, passed, targets)
        with new_session() as session:
            found = Search(session, judge.candidate, targets, witnesses, repaired).find()
        if found:
            change, checks = found
            repair = change.repair(len(checks), completes=checks == wrong)
            repairs = dict.fromkeys(checks, repair) | repairs
    return [replace(f, repairs=(repairs[f.check],)) if f.check in repairs else f for f in findings]


def _repaired_checks(
    exercise: Exercise, passed: set[str], wrong: set[str], after: Sequence[Finding]
) -> frozenset[str] | None:
    """The checks that hold after an edit and failed before; None where it breaks one, or a core one fails."""
    hold = {finding.check for finding in after if finding.outcome is Outcome.PASSED}
    core = {check.name for check in exercise.value_checks if check.core}
    if not passed <= hold or not core <= hold:
        return None
    return frozenset(wrong & hold) or None


def _witnesses(judge: Judge, passed: set[str], targets: Sequence[Failure]) -> list[Failure]:
    """Further draws of the checks that fail, and of core checks that hold: an edit must be right on them."""
    names = {failure.check.name for failure in targets}
    reading = targets[0].mask_reading
    found = []
    for check in judge.exercise.value_checks:
        if check.name in names or (check.core and check.name in passed):
            examples = judge.draws.for_check(judge.exercise, check)[WITNESSES]
            found += [Failure(check, example, Violation(""), "", reading) for example in examples]
    return found
