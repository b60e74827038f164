"""Explain failures within a time of their own, so that slow code leaves some for its other exercises."""

from collections.abc import Callable

from graders.language import number, tr
from graders.results.result import Finding
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
