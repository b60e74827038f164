"""Findings of an exercise by their cause: what several checks fail for, every report shows once."""

from collections.abc import Iterable
from dataclasses import dataclass

from graders.language import tr, trn
from graders.results.result import Finding, Outcome


@dataclass(frozen=True)
class Cause:
    """A finding that is shown in full, and others with the same known mistake, place, error or sentence."""

    finding: Finding
    same: tuple[Finding, ...] = ()

    @property
    def all(self) -> tuple[Finding, ...]:
        """All of its findings."""
        return (self.finding, *self.same)


def group_by_cause(findings: Iterable[Finding]) -> tuple[Cause, ...]:
    """The findings by their cause, in the order of their first ones; each cause shows its first finding."""
    groups: dict[object, list[Finding]] = {}
    for finding in findings:
        groups.setdefault(_find_reason(finding), []).append(finding)
    return tuple(Cause(first, tuple(others)) for first, *others in groups.values())


def have_one_cause(first: Finding, second: Finding) -> bool:
    """Whether two findings of an exercise have the same cause."""
    return _find_reason(first) == _find_reason(second)


def count_same(cause: Cause) -> str:
    """`the same in 4 further checks`; of a known mistake it is only certain that its hint is the same."""
    if cause.finding.alternatives:
        return trn(
            "the same hint for {n} further check", "the same hint for {n} further checks", len(cause.same)
        )
    return trn("the same in {n} further check", "the same in {n} further checks", len(cause.same))


def refer_to(shown: Finding) -> str:
    """`the same as for keeps_the_shape`, of a further finding whose cause was shown with that check."""
    if shown.alternatives:
        return tr("the same hint as for {check}", check=shown.check)
    return tr("the same as for {check}", check=shown.check)


def _find_reason(finding: Finding) -> object:
    """What findings of one cause have in common; for a finding that stands alone, its check's name."""
    if finding.alternatives:
        return frozenset(frozenset(mistake.name for mistake in mistakes) for mistakes in finding.alternatives)
    if finding.repairs:
        return finding.repairs
    # One line raises other sentences for other sizes of its input: the line is what is the same.
    if finding.outcome is Outcome.RAISED and finding.place:
        return finding.outcome, finding.place
    if finding.message:
        return finding.outcome, finding.message, finding.place
    return finding.check
