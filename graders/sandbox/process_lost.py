"""Why a submission's process was lost, as an outcome and a sentence."""

import signal
from collections.abc import Mapping
from typing import Any

from graders.language import number, tr
from graders.results.limit import Limit
from graders.results.result import Outcome
from graders.sandbox.isolation.causes import Cause, cause_from_report
from graders.sandbox.isolation.cgroups import Group
from graders.sandbox.limits import Limits, format_size
from graders.sandbox.own_time import Allowance

FIRST_STATUS_OF_WINDOWS = 0xC0000000  # of errors with which Windows ends a process
LEAST_OF_MODEL = 0.4  # of a trained model's time: what it has, whatever the other exercises have taken


class ProcessLost(Exception):
    """The student's process ended or can no longer be trusted.

    `outcome` is that of the check that was running, the text is for the student, `staff` for staff.
    `frames` are the file names and lines where the code was, innermost first, if known. `limit` is
    the limit that the code reached, if it reached one; `cause` is what the machine lacks, where the
    process could not be isolated. `times` is the last report on the time that it took.
    """

    def __init__(
        self,
        outcome: Outcome,
        message: str,
        staff: str | None = None,
        frames: list[tuple[str, int]] | None = None,
        limit: Limit | None = None,
        cause: Cause | None = None,
    ) -> None:
        super().__init__(message)
        self.outcome = outcome
        self.staff = staff
        self.frames = frames or []
        self.limit = limit
        self.cause = cause
        self.times: Mapping[str, Any] | None = None


def interference() -> ProcessLost:
    """The loss to raise after a process broke the protocol of the channel."""
    # Without details: which rule a forger breaks first depends on timing.
    message = tr("the code interfered with the channel to the grader")
    return ProcessLost(Outcome.FAILED, message, limit=Limit.CHANNEL)


def no_answer(seconds: float) -> str:
    """The sentence that one request took longer than so many seconds."""
    return tr(
        "no answer within {seconds} s (waiting for a busy processor is not counted): an endless loop, "
        "or far too much work?",
        seconds=number(seconds, "g"),
    )


def submission_time(limits: Limits) -> Allowance:
    """The time of a whole submission, but for its trained model."""
    seconds = number(limits.submission_s, "g")
    return Allowance(
        limits.submission_s,
        tr("the time for the whole submission ({seconds} s) was used up", seconds=seconds),
        tr("the time for the whole submission ({seconds} s) was used up before this", seconds=seconds),
    )


def model_time(limits: Limits, spent: float = 0.0) -> Allowance:
    """The time of a trained model, where the submission's other exercises have taken `spent` seconds.

    It is less where they have taken much, so that no submission takes the sum of both limits.
    """
    least = LEAST_OF_MODEL * limits.trained_s
    allowed = min(limits.trained_s, max(least, limits.submission_s + least - spent))
    seconds = number(allowed, ".3g")
    return Allowance(
        allowed,
        tr("the time for the trained model ({seconds} s) was used up", seconds=seconds),
        tr("the time for the trained model ({seconds} s) was used up before this", seconds=seconds),
    )


def why_it_ended(report: dict[str, Any], limits: Limits, group: Group | None) -> ProcessLost:
    """The loss to raise after the last report about a process; `group` is its control group."""
    if "exit" not in report:
        staff = str(report.get("failed", "the warm interpreter is gone"))
        message = tr("the box could not be closed around the code")
        return ProcessLost(Outcome.BROKEN, message, staff, cause=cause_from_report(report))
    code = report["exit"]
    if code >= FIRST_STATUS_OF_WINDOWS:
        return _crash(f"0x{code:X}")
    if code >= 0:
        return ProcessLost(
            Outcome.RAISED, tr("the code ended the Python process itself (status {status})", status=code)
        )
    name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
    if name not in ("SIGKILL", "SIGXCPU"):
        return _crash(name)
    if name == "SIGXCPU" or report.get("cpu_s", 0) > limits.cpu_s - 1:
        message = tr(
            "the code used more processor time than it may use ({seconds} s)",
            seconds=limits.cpu_s,
        )
        return ProcessLost(Outcome.TIMED_OUT, message, limit=Limit.TIME)
    if group and group.out_of_memory():
        most = format_size(limits.memory_bytes)
        message = tr("the code used more than the {most} of memory that it may use", most=most)
        staff = "the control group's memory was used up"
        return ProcessLost(Outcome.OUT_OF_MEMORY, message, staff, limit=Limit.MEMORY)
    # Only the kernel can have sent it: the host still waits, and the code may not send signals.
    message = tr("the system ended the code, as it does when memory runs out")
    staff = "SIGKILL, and not for processor time"
    return ProcessLost(Outcome.OUT_OF_MEMORY, message, staff, limit=Limit.MEMORY)


def _crash(how: str) -> ProcessLost:
    return ProcessLost(Outcome.RAISED, tr("the code crashed the Python process ({signal})", signal=how))
