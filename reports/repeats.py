"""An error that every check of an exercise runs into is told once."""

from collections.abc import Iterable
from dataclasses import replace

from graders.result import Finding, Outcome

ERRORS = (Outcome.RAISED, Outcome.TIMED_OUT, Outcome.OUT_OF_MEMORY)
AGAIN = "the same as above"


def told_once(findings: Iterable[Finding]) -> list[Finding]:
    """The findings, where an error at the same line with the same words has no details the second time."""
    seen = set()
    shown = []
    for finding in findings:
        key = (finding.outcome, finding.message, finding.place)
        if finding.outcome in ERRORS and finding.message and key in seen:
            finding = replace(finding, message=AGAIN, case=None, place=None, output=None)
        seen.add(key)
        shown.append(finding)
    return shown
