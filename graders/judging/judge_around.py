"""Judge a whole with right parts in place of the submission's wrong ones, in a process of its own."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import MappingProxyType
from typing import Protocol

from graders.candidate.remote_candidate import RemoteCandidate
from graders.candidate.student_error import RaisedByStudent
from graders.check_api.check import Check
from graders.course.exercise import Exercise
from graders.diagnosis.right_parts import AnswerForm, RightParts
from graders.help.topics import with_topic
from graders.judging.another_answer import is_wrong
from graders.judging.draws import Draws
from graders.judging.kept_draws import Example
from graders.language import join_names, tr, trn
from graders.results.result import Finding, Outcome
from graders.sandbox.session import Session


class Tries(Protocol):
    """Tries checks of an exercise on a candidate around right parts."""

    @property
    def exercise(self) -> Exercise:
        """The exercise."""

    @property
    def draws(self) -> Draws:
        """Those of the run."""

    def try_named(self, name: str) -> Finding:
        """The finding of a check by its name."""

    def try_on(self, check: Check, example: Example) -> Exception | str | None:
        """How a check fails on a draw, if it does."""


def judge_around(
    parts: RightParts,
    findings: Sequence[Finding],
    again: Tries,
    failing: Mapping[str, Example] = MappingProxyType({}),
) -> list[Finding]:
    """The findings; failed checks that hold with right parts, and have called them, count as passed.

    Those in which the code asks what an answer key does not hold are not decided, unless the check fails on a
    draw on which it asks nothing else.

    Args:
        parts: those that are in place.
        findings: with the submission's own parts.
        again: tries the checks with right parts.
        failing: by the names of checks, draws on which they failed; one that fails there again is decided.
    """
    return [
        _judge_again(parts, f, again, failing.get(f.check)) if f.outcome.failed_or_raised else f
        for f in findings
    ]


def judge_under_both_readings(
    parts: RightParts,
    candidate: RemoteCandidate,
    findings: Sequence[Finding],
    tries: Tries,
    failing: Mapping[str, Example],
) -> list[Finding]:
    """As `judge_around`, with masks in the exercise's sense, and then as the submission reads them.

    The sense may be that of a wrong part, in whose place a right one stands now. Where it is the whole's own,
    it goes on costing its check.

    Args:
        parts: those that are in place.
        candidate: loaded, with the reading of the mask that holds with the submission's own parts.
        findings: with these.
        tries: tries the checks with right parts.
        failing: as for `judge_around`.
    """
    read = candidate.mask_reading
    candidate.mask_reading = None
    again = judge_around(parts, findings, tries, failing)
    if read is None:
        return again
    candidate.mask_reading = read
    about = (read[0].check, read[0].shapes)
    others = judge_around(parts, [f for f in again if f.check not in about], tries, failing)
    by_check = {f.check: f for f in others}
    return [by_check.get(f.check, f) for f in again]


def choose_form(parts: RightParts, again: Tries) -> None:
    """Have right parts answer in the form that the whole takes: that in which a core check holds on a draw.

    Where there is none, the first in which it does not raise: a whole adds what its own attention answers to
    x, and cannot add a pair.

    Args:
        parts: those that are in place; they keep the form.
        again: tries the checks with right parts.
    """
    core = next((check for check in again.exercise.value_checks if check.core), None)
    examples = again.draws.for_check(again.exercise, core) if core else ()
    if core is None or not examples:
        return
    raises: dict[AnswerForm, bool] = {}
    for form in AnswerForm:
        parts.form = form
        parts.used.clear()
        parts.unanswered.clear()
        failure = again.try_on(core, examples[0])
        if not parts.used or parts.unanswered:
            break
        if failure is None:
            return
        raises[form] = isinstance(failure, RaisedByStudent)
    parts.form = next((form for form, raised in raises.items() if not raised), AnswerForm.AS_DUE)


@contextmanager
def candidate_around(
    parts: RightParts | None, session: Session, candidate: RemoteCandidate
) -> Iterator[RemoteCandidate | None]:
    """The candidate in a new process, with right parts if there are any; None where these cannot be had."""
    has_parts = session.use_parts(parts)
    try:
        yield candidate if parts is None else candidate.anew() if has_parts else None
    finally:
        session.use_parts(None)


def _judge_again(parts: RightParts, finding: Finding, again: Tries, failing: Example | None) -> Finding:
    if failing is not None and _fails_on(failing, parts, finding, again):
        return finding
    parts.used.clear()
    parts.unanswered.clear()
    now = again.try_named(finding.check)
    if unanswered := sorted(parts.unanswered):  # a trial empties it
        if _fails_where_answered(parts, finding, again):
            return finding
        message = _tell_unanswered(unanswered)
        return replace(finding, outcome=Outcome.SKIPPED, message=message, case=None, place=None, output=None)
    if parts.used and now.outcome.failed_or_raised and _raised_in(parts, finding):
        return now  # what a wrong part raises hides what the whole does
    if now.outcome is not Outcome.PASSED or not parts.used:
        return finding
    names = ", ".join(sorted(parts.used))
    return replace(now, message=tr("judged with a right {names} in place of yours", names=names), output=None)


def _tell_unanswered(names: Sequence[str]) -> str:
    message = trn(
        "decided at hand-in: your {names} is wrong or not finished, and the answer key lacks what a right "
        "one answers here",
        "decided at hand-in: your {names} are wrong or not finished, and the answer key lacks what right "
        "ones answer here",
        len(names),
        names=join_names(names),
    )
    return with_topic(message, "undecided")


def _raised_in(parts: RightParts, finding: Finding) -> bool:
    """Whether a finding is an error that one of the replaced parts raised."""
    within = finding.place.within if finding.place else None
    raised = finding.outcome is Outcome.RAISED and within is not None
    return raised and (within or "").partition(".")[0] in parts.descriptions


def _fails_where_answered(parts: RightParts, finding: Finding, again: Tries) -> bool:
    """Whether the check of a finding fails on a draw on which the parts answer all questions."""
    examples = again.draws.for_check(again.exercise, _check_of(finding, again))
    return any(_fails_on(example, parts, finding, again) for example in examples)


def _fails_on(example: Example, parts: RightParts, finding: Finding, again: Tries) -> bool:
    parts.unanswered.clear()
    result = again.try_on(_check_of(finding, again), example)
    return isinstance(result, Exception) and is_wrong(result) and not parts.unanswered


def _check_of(finding: Finding, again: Tries) -> Check:
    [check] = (check for check in again.exercise.checks if check.name == finding.check)
    return check
