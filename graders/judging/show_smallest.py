"""Show a failed check on the smallest draw that fails alike, once it is known that it goes on failing.

To look for it may cost more than all checks, and some checks hold in the end: with right parts in place of
wrong ones, or with masks as the code reads them.
"""

import traceback
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Protocol

from graders.candidate.remote_candidate import RemoteCandidate
from graders.candidate.student_error import RaisedByStudent
from graders.check_api.check import Check
from graders.check_api.compare import Violation
from graders.judging import score
from graders.judging.case_view import case_of
from graders.judging.kept_draws import Example
from graders.judging.smallest_failure import Failure, Tries, find_smallest
from graders.language import tr
from graders.results.result import Finding, Outcome
from graders.safe_text import safe_text


class Finds(Tries, Protocol):
    """Tries checks on one submission's code, and makes their findings."""

    @property
    def candidate(self) -> RemoteCandidate:
        """The code."""

    @property
    def finding(self) -> Callable[..., Finding]:
        """Makes the finding of a check."""


def show_on_smallest(
    judge: Finds, failures: Mapping[str, Failure], shown: dict[str, list[Failure]], finding: Finding
) -> Finding:
    """The finding on the smallest draw. A message that is not that of the failure stays.

    Args:
        judge: tries the check again, with the mask read as it was when the check failed.
        failures: by the names of the checks; the findings of others stay as they are.
        shown: gets the failure that was known, and the smallest if it is another, where this is the message.
        finding: of a check that failed.
    """
    first = failures.get(finding.check)
    if first is None:
        return finding
    message = finding_on(judge, first.check, first.example, first.failure).message
    reading, judge.candidate.mask_reading = judge.candidate.mask_reading, first.mask_reading
    judge.session.printed = first.printed
    try:
        example, failure = find_smallest(judge, first)
        smallest = finding_on(judge, first.check, example, failure)
    except Exception:  # no check may cost the others their points
        staff = traceback.format_exc(limit=-6)
        return judge.finding(first.check, Outcome.BROKEN, tr(score.OURS), staff=staff)
    finally:
        judge.candidate.mask_reading = reading
    if finding.message == message:
        also = [] if example is first.example else [replace(first, example=example, failure=failure)]
        shown[first.check.name] = [first, *also]
        return replace(smallest, staff=finding.staff)
    return replace(finding, case=smallest.case, place=smallest.place, output=smallest.output)


def finding_on(judge: Finds, check: Check, example: Example, failure: Exception) -> Finding:
    """The finding of a check that fails on a draw by a wrong answer or an error of the code."""
    if isinstance(failure, RaisedByStudent):
        case = case_of(example.draw)
        return judge.finding(check, failure.outcome, str(failure), case, failure.place, limit=failure.limit)
    assert isinstance(failure, Violation)
    return judge.finding(check, Outcome.FAILED, safe_text(str(failure)), case_of(example.draw, failure))
