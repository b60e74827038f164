"""Explain failures within a time of their own, so that slow code leaves some for its other exercises."""

import traceback
from collections.abc import Callable
from dataclasses import replace

from graders.check_api.candidate import Raised
from graders.language import number, tr
from graders.results.result import Finding
from graders.sandbox.process_lost import ProcessLost
from graders.sandbox.session import Session

EXPLAINED_S = 3.0  # own seconds of the code
Explain = Callable[[list[Finding]], list[Finding]]


def in_time(session: Session, explain: Explain) -> Explain:
    """The same explanation; it ends with `ProcessLost` where the code takes too long for it."""
    seconds = number(EXPLAINED_S, "g")
    used_up = tr("the time for explaining what is wrong ({seconds} s) was used up", seconds=seconds)

    def explain_in_time(findings: list[Finding]) -> list[Finding]:
        with session.within(EXPLAINED_S, used_up):
            return explain(findings)

    return explain_in_time


def explain_safely(explain: Explain, findings: list[Finding]) -> list[Finding]:
    """The findings, explained where any failed; as they were where that fails, with our own traceback."""
    if not any(f.outcome.failed_or_raised for f in findings):
        return findings
    try:
        return explain(findings)
    except (ProcessLost, Raised):  # the code answered the checks, but not the diagnosis
        return findings
    except Exception:  # as in `try_check`: the findings must not be lost
        staff = traceback.format_exc(limit=-6)
        return [replace(f, staff=f.staff or staff) if f.outcome.failed_or_raised else f for f in findings]
