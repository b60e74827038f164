"""How a submission's process is lost, and what that means: an outcome and a sentence."""

import signal
from typing import Any

from graders.language import number, tr
from graders.results.limit import Limit
from graders.results.result import Outcome
from graders.sandbox.isolation.causes import Cause, cause_from_report
from graders.sandbox.isolation.cgroups import Group
from graders.sandbox.limits import Limits, parse_size


class ProcessLost(Exception):
    """The student's process is gone or not to be trusted any more.

    `outcome` is what that means for the check at hand, the text is for the student, `staff` for us.
    `frames` are the file names and lines where the code was, innermost first, as far as known. `limit` is
    the limit that the code reached, if it reached one; `cause` is what the machine lacks, where the
    process could not be isolated.
    """

    def __init__(
        self,
        outcome: Outcome,
        says: str,
        staff: str | None = None,
        frames: list[tuple[str, int]] | None = None,
        limit: Limit | None = None,
        cause: Cause | None = None,
    ) -> None:
        super().__init__(says)
        self.outcome = outcome
        self.staff = staff
        self.frames = frames or []
        self.limit = limit
        self.cause = cause


def interference() -> ProcessLost:
    """The process did not answer by the rules of the wire."""
    # No detail: which of several rules a forger breaks first is a matter of timing.
    says = tr("the code interfered with the channel to the grader")
    return ProcessLost(Outcome.FAILED, says, limit=Limit.CHANNEL)


def time_used_up(limits: Limits, *, training: bool, before: bool = False) -> str:
    """That the time for all is gone: of a submission or a trained model, `before` the request at hand."""
    seconds = number(limits.trained_s if training else limits.submission_s, "g")
    if before and training:
        return tr("the {seconds} seconds for the trained model were used up before this", seconds=seconds)
    if before:
        return tr("the {seconds} seconds for the whole submission were used up before this", seconds=seconds)
    if training:
        return tr("the {seconds} seconds for the trained model were used up", seconds=seconds)
    return tr("the {seconds} seconds for the whole submission were used up", seconds=seconds)


def why_it_ended(report: dict[str, Any], limits: Limits, group: Group | None) -> ProcessLost:
    """What the last report about it means for the submission, whose control group is `group`."""
    if "exit" not in report:
        staff = str(report.get("failed", "the warm interpreter is gone"))
        message = tr("the box could not be closed around the code")
        return ProcessLost(Outcome.BROKEN, message, staff, cause=cause_from_report(report))
    code = report["exit"]
    if code >= 0:
        return ProcessLost(
            Outcome.RAISED, tr("the code ended the Python process itself (status {status})", status=code)
        )
    name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
    if name not in ("SIGKILL", "SIGXCPU"):
        return ProcessLost(Outcome.RAISED, tr("the code crashed the Python process ({signal})", signal=name))
    if name == "SIGXCPU" or report.get("cpu_s", 0) > limits.cpu_s - 1:
        says = tr(
            "the code used more than the {seconds} seconds of processor time that it may use",
            seconds=limits.cpu_s,
        )
        return ProcessLost(Outcome.TIMED_OUT, says, limit=Limit.TIME)
    if group and group.out_of_memory():
        most = parse_size(limits.memory_bytes)
        says = tr("the code used more than the {most} of memory that it may use", most=most)
        staff = "the control group's memory was used up"
        return ProcessLost(Outcome.OUT_OF_MEMORY, says, staff, limit=Limit.MEMORY)
    # Nobody else kills here: not the host, which still waits, nor the code, which may not.
    says = tr("the system ended the code, as it does when memory runs out")
    staff = "SIGKILL, and not for processor time"
    return ProcessLost(Outcome.OUT_OF_MEMORY, says, staff, limit=Limit.MEMORY)
