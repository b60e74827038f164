"""What stands on several findings of an exercise is told once: an error, a hint, a remark, a long message."""

from collections.abc import Iterable
from dataclasses import replace

from graders.language import tr, translatable
from graders.results.result import Finding, Outcome

AGAIN = translatable("the same as above")
LONG = 200  # characters of a message that nobody wants to read twice


def told_once(findings: Iterable[Finding]) -> list[Finding]:
    """The findings, without what an earlier one of them has said already."""
    told: set[object] = set()
    shown = []
    for finding in findings:
        before = {finding.mistake, _message(finding)} & told
        told |= {finding.mistake, _message(finding)} - {None}
        if finding.mistake in before:
            finding = replace(finding, mistake=None, mistakes=())
        shown.append(_again(finding) if _message(finding) in before else finding)
    return shown


def _message(finding: Finding) -> object:
    """What makes a finding's message the same as another's; None where it is told each time."""
    if not finding.message:
        return None
    if finding.outcome is Outcome.FAILED and (len(finding.message) < LONG or _shows(finding)):
        return None
    return finding.outcome, finding.message, finding.place


def _shows(finding: Finding) -> bool:
    return finding.case is not None and finding.case.actual is not None


def _again(finding: Finding) -> Finding:
    if finding.outcome is Outcome.PASSED:
        return replace(finding, message=None, output=None)
    if finding.outcome.stopped:
        return replace(finding, message=tr(AGAIN), case=None, place=None, output=None)
    return replace(finding, message=tr(AGAIN))
