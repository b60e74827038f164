"""Find the edit of wrong code after which some checks hold that fail, and no other is lost."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from graders.candidate.remote_candidate import RemoteCandidate
from graders.check_api.compare import Violation
from graders.diagnosis.edits.unit import Unit, find_units
from graders.extraction.extract import Source
from graders.judging.judge import Judge
from graders.judging.search_edits import Change, Search
from graders.judging.smallest_failure import Failure
from graders.results.result import Finding, Outcome, Repair
from graders.sandbox.session import Session

WITNESSES = slice(1, 8)  # draws of a check that an edit is tried on, beside that on which the code failed
JudgeAnew = Callable[[Source], Sequence[Finding]]
NewSession = Callable[[], AbstractContextManager[Session]]


@dataclass(frozen=True)
class Wrong:
    """Wrong code, and how an edit of it is tried.

    Attributes:
        judge: has tried the checks, and knows on which draws they failed.
        findings: of the checks.
        judge_anew: the findings of the checks for another source, in a process of its own.
        new_session: a new one, in a box.
        units: the functions of the code.
    """

    judge: Judge
    findings: Sequence[Finding]
    judge_anew: JudgeAnew
    new_session: NewSession
    units: Sequence[Unit] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "units", find_units(self.candidate.source))

    @property
    def candidate(self) -> RemoteCandidate:
        """The code, with all that is known of it."""
        return self.judge.candidate

    @property
    def names(self) -> set[str]:
        """The checks that fail."""
        return {finding.check for finding in self.findings if finding.outcome.failed_or_raised}

    @property
    def failures(self) -> list[Failure]:
        """The draws on which they fail; some fail without one, for a size or an argument."""
        return [each for each in (self.judge.failures or {}).values() if each.check.name in self.names]

    def is_about_sense(self, failure: Failure) -> bool:
        """Whether a check is about the sense of masks, which are given as the code reads them."""
        mask, reading = self.judge.exercise.options.mask, self.candidate.mask_reading
        return mask is not None and reading is not None and failure.check.name == mask.check


@dataclass(frozen=True)
class Found:
    """An edit, the checks that hold with it and failed without, and whether these are all that failed."""

    change: Change
    checks: frozenset[str]
    completes: bool

    @property
    def by_check(self) -> dict[str, tuple[Repair, ...]]:
        """The edit for the result, by each of its checks."""
        repair = self.change.repair(len(self.checks), completes=self.completes)
        return dict.fromkeys(self.checks, (repair,))


def repair_checks(
    wrong: Wrong,
    targets: Sequence[Failure],
    left: list[int],
    beside: tuple[Change, RemoteCandidate] | None = None,
) -> Found | None:
    """The edit after which the targets hold; what holds goes on holding.

    Args:
        wrong: the code.
        targets: the draws on which it fails.
        left: how many edits may be tried, from which those that are tried are taken.
        beside: an edit that is made already, and the code that has it.
    """
    if not targets:
        return None
    due = {finding.check for finding in wrong.findings if finding.outcome is Outcome.PASSED}
    witnesses = _witnesses(wrong, due, targets)
    due |= _raised_alike(wrong.findings, targets)
    if targets[0].check.core:
        due |= {check.name for check in wrong.judge.exercise.value_checks if check.core}
    asked = {failure.check.name for failure in wrong.failures}

    def prove(change: Change) -> frozenset[str] | None:
        after = wrong.judge_anew(change.source(wrong.candidate.source))
        hold = {finding.check for finding in after if finding.outcome is Outcome.PASSED}
        return frozenset(asked & hold) or None if due <= hold else None

    change, candidate = beside or (None, wrong.candidate)
    with wrong.new_session() as session:
        search = Search(
            session,
            candidate,
            units=wrong.units,
            targets=targets,
            witnesses=witnesses,
            prove=prove,
            left=left,
            beside=change,
        )
        found = search.find()
    return found and Found(*found, completes=found[1] == wrong.names)


def _raised_alike(findings: Sequence[Finding], targets: Sequence[Failure]) -> set[str]:
    """The checks that raise where the targets do: an edit that spares only some the line is no repair."""
    names = {failure.check.name for failure in targets}
    lines = {finding.place for finding in findings if finding.check in names} - {None}
    raised = (finding for finding in findings if finding.outcome is Outcome.RAISED)
    return {finding.check for finding in raised if finding.place in lines}


def _witnesses(wrong: Wrong, passed: set[str], targets: Sequence[Failure]) -> list[Failure]:
    """Further draws of the checks that fail, and of core checks that hold: an edit must be right on them."""
    judge = wrong.judge
    names = {failure.check.name for failure in targets}
    names |= {judge.exercise.options.mask.shapes} & passed if judge.exercise.options.mask else set()
    reading = targets[0].mask_reading
    found = []
    for check in judge.exercise.value_checks:
        if check.name in names or (check.core and check.name in passed):
            examples = judge.draws.for_check(judge.exercise, check)[WITNESSES]
            found += [Failure(check, example, Violation(""), "", reading) for example in examples]
    return found
