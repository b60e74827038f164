"""Judge a whole with right parts in place of the submission's wrong ones, in a process of its own."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from graders.candidate.remote_candidate import RemoteCandidate
from graders.diagnosis.right_parts import RightParts
from graders.language import tr
from graders.results.result import Finding, Outcome
from graders.sandbox.session import Session


def judge_around(
    parts: RightParts, findings: Sequence[Finding], try_again: Callable[[Finding], Finding]
) -> list[Finding]:
    """The findings; failed checks that hold with right parts, and have called them, count as passed.

    Those in which the code asks what an answer key does not hold are not decided.

    Args:
        parts: those that are in place.
        findings: with the submission's own parts.
        try_again: the finding of the same check, now.
    """
    return [_judge_again(parts, f, try_again) if f.outcome.failed_or_raised else f for f in findings]


def judge_under_both_readings(
    parts: RightParts,
    candidate: RemoteCandidate,
    findings: Sequence[Finding],
    try_again: Callable[[Finding], Finding],
) -> list[Finding]:
    """As `judge_around`, with masks in the exercise's sense, and then as the submission reads them.

    The sense may be that of a wrong part, in whose place a right one stands now. Where it is the whole's own,
    it goes on costing its check.

    Args:
        parts: those that are in place.
        candidate: loaded, with the reading of the mask that holds with the submission's own parts.
        findings: with these.
        try_again: the finding of the same check, now.
    """
    read = candidate.mask_reading
    candidate.mask_reading = None
    again = judge_around(parts, findings, try_again)
    if read is None:
        return again
    candidate.mask_reading = read
    about = (read[0].check, read[0].shapes)
    others = judge_around(parts, [f for f in again if f.check not in about], try_again)
    by_check = {f.check: f for f in others}
    return [by_check.get(f.check, f) for f in again]


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


def _judge_again(parts: RightParts, finding: Finding, try_again: Callable[[Finding], Finding]) -> Finding:
    parts.used.clear()
    parts.unanswered = False
    now = try_again(finding)
    if parts.unanswered:
        message = tr("decided at hand-in: it needs right parts in place of yours")
        return replace(finding, outcome=Outcome.SKIPPED, message=message, case=None, place=None, output=None)
    if now.outcome is not Outcome.PASSED or not parts.used:
        return finding
    names = ", ".join(sorted(parts.used))
    return replace(now, message=tr("judged with a right {names} in place of yours", names=names), output=None)
