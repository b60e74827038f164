"""Find where code is wrong: the edit of its own syntax tree after which the checks that fail hold."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from graders.check_api.compare import Violation
from graders.extraction.extract import Source
from graders.judging.judge import Judge
from graders.judging.repair_several import NewSession, repair_several, several_mistakes
from graders.judging.search_edits import MOST, Change, Search
from graders.judging.smallest_failure import Failure
from graders.results.result import Finding, Outcome, Repair

MOST_TARGETS = 3  # checks for each of which an edit is looked for, where no core check fails
WITNESSES = slice(1, 8)  # draws of a check that an edit is tried on, beside that on which the code failed
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
    if judge.draws.known_mistakes(judge.exercise) is None:
        return [*findings]  # a key without hints gives no places either
    wrong = {finding.check for finding in findings if finding.outcome.failed_or_raised}
    failures = [each for each in (judge.failures or {}).values() if each.check.name in wrong]
    core = [each for each in failures if each.check.core]
    if core and (several := several_mistakes(judge, findings)):
        return repair_several(judge, findings, several, new_session)
    repairs, left = dict[str, Repair](), [MOST]
    for targets in _targets(judge, failures, core):
        if not any(each.check.name in repairs for each in targets):
            found = _repair(judge, findings, targets, judge_anew, new_session, left=left)
            repairs = dict.fromkeys(found.checks, found.repair) | repairs if found else repairs
    return [replace(f, repairs=(repairs[f.check],)) if f.check in repairs else f for f in findings]


@dataclass(frozen=True)
class _Found:
    repair: Repair
    checks: frozenset[str]


def _targets(judge: Judge, failures: list[Failure], core: list[Failure]) -> list[list[Failure]]:
    """What an edit must repair at once: the core checks; where these hold, any of the others by itself.

    How a mask is read is another matter than the core checks, which are judged with masks as they are read.
    """
    if not core:
        return [[failure] for failure in failures[:MOST_TARGETS]]
    return [core, [each for each in failures if _is_about_sense(judge, each)]]


def _is_about_sense(judge: Judge, failure: Failure) -> bool:
    mask, reading = judge.exercise.options.mask, judge.candidate.mask_reading
    return mask is not None and reading is not None and failure.check.name == mask.check


def _repair(
    judge: Judge,
    findings: Sequence[Finding],
    targets: list[Failure],
    judge_anew: JudgeAnew,
    new_session: NewSession,
    *,
    left: list[int],
) -> _Found | None:
    """The edit that repairs these checks; what holds must go on holding, and core checks must hold."""
    if not targets:
        return None
    wrong = {finding.check for finding in findings if finding.outcome.failed_or_raised}
    # The others fail without a draw: for a size, or an argument.
    asked = wrong & (judge.failures or {}).keys()
    due = {finding.check for finding in findings if finding.outcome is Outcome.PASSED}
    witnesses = _witnesses(judge, due, targets)
    due |= _raised_alike(findings, targets)
    if not _is_about_sense(judge, targets[0]):
        due |= {check.name for check in judge.exercise.value_checks if check.core}

    def prove(change: Change) -> frozenset[str] | None:
        after = judge_anew(change.source(judge.candidate.source))
        hold = {finding.check for finding in after if finding.outcome is Outcome.PASSED}
        return frozenset(asked & hold) or None if due <= hold else None

    with new_session() as session:
        found = Search(session, judge.candidate, targets, witnesses, prove, left=left).find()
    if found is None:
        return None
    change, checks = found
    return _Found(change.repair(len(checks), completes=checks == wrong), checks)


def _raised_alike(findings: Sequence[Finding], targets: Sequence[Failure]) -> set[str]:
    """The checks that raise where the targets do: an edit that spares only some the line is no repair."""
    names = {failure.check.name for failure in targets}
    lines = {finding.place for finding in findings if finding.check in names} - {None}
    raised = (finding for finding in findings if finding.outcome is Outcome.RAISED)
    return {finding.check for finding in raised if finding.place in lines}


def _witnesses(judge: Judge, passed: set[str], targets: Sequence[Failure]) -> list[Failure]:
    """Further draws of the checks that fail, and of core checks that hold: an edit must be right on them."""
    names = {failure.check.name for failure in targets}
    names |= {judge.exercise.options.mask.shapes} & passed if judge.exercise.options.mask else set()
    reading = targets[0].mask_reading
    found = []
    for check in judge.exercise.value_checks:
        if check.name in names or (check.core and check.name in passed):
            examples = judge.draws.for_check(judge.exercise, check)[WITNESSES]
            found += [Failure(check, example, Violation(""), "", reading) for example in examples]
    return found
