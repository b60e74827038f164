"""Shorten results: an error, hint, remark or long message that repeats is shown once."""

from collections.abc import Iterable
from dataclasses import replace

from graders.language import tr, translatable
from graders.results.result import ExerciseResult, Finding, Outcome

SAME_AS_ABOVE = translatable("the same as above")
LONG_MESSAGE = 200  # characters, from which on a repeated message is shortened


def without_repeats(findings: Iterable[Finding]) -> list[Finding]:
    """The findings, each without the texts that an earlier one already has.

    Where one error stops the checks, the first shows it, and the others need no text.
    """
    findings = list(findings)
    one_error = len({_message_key(finding) for finding in findings if finding.outcome.stopped}) == 1
    earlier: set[object] = set()
    shortened = []
    for finding in findings:
        repeated = {finding.mistake, _message_key(finding)} & earlier
        earlier |= {finding.mistake, _message_key(finding)} - {None}
        if finding.mistake in repeated:
            finding = replace(finding, mistake=None, mistakes=())
        shortened.append(
            _refer_to_above(finding, one_error) if _message_key(finding) in repeated else finding
        )
    return shortened


def without_repeated_reasons(exercises: Iterable[ExerciseResult]) -> list[ExerciseResult]:
    """The exercises; of those that could not be read for one reason, the first alone says it."""
    said: set[str | None] = set()
    shortened = []
    for exercise in exercises:
        repeated = exercise.outcome is Outcome.UNREADABLE and exercise.message in said
        shortened.append(replace(exercise, message=None) if repeated else exercise)
        said.add(exercise.message)
    return shortened


def _message_key(finding: Finding) -> object:
    """A key that equal messages share; None for a message that is shown every time."""
    if not finding.message:
        return None
    if finding.outcome is Outcome.FAILED and (len(finding.message) < LONG_MESSAGE or _has_pictures(finding)):
        return None
    return finding.outcome, finding.message, finding.place


def _has_pictures(finding: Finding) -> bool:
    return finding.case is not None and finding.case.actual is not None


def _refer_to_above(finding: Finding, one_error: bool) -> Finding:
    if finding.outcome is Outcome.PASSED:
        return replace(finding, message=None, output=None)
    if finding.outcome.stopped:
        message = None if one_error else tr(SAME_AS_ABOVE)
        return replace(finding, message=message, case=None, place=None, output=None)
    return replace(finding, message=tr(SAME_AS_ABOVE))
