"""How a check or an exercise ended."""

from enum import StrEnum, unique


@unique
class Outcome(StrEnum):
    """How a check or an exercise ended.

    Attributes:
        PASSED: every draw holds.
        FAILED: the answer is wrong.
        RAISED: the student's code raised an error, or ended its process.
        TIMED_OUT: the code reached a time limit.
        OUT_OF_MEMORY: the code reached the memory limit.
        SKIPPED: it cannot be decided here; the points are undecided.
        BROKEN: softmark's own fault; the points are undecided, never lost.
        NOT_ATTEMPTED: nothing is defined, or the stub is as it was handed out. Of exercises alone.
        UNFINISHED: the code is begun, and a part without which it cannot answer is still to be written: its
            own, or another exercise's that it calls. No points are given. Of exercises alone.
        UNREADABLE: the file in which the answer may be cannot be read: no points, and the instructor
            should look. Of exercises alone.
    """

    PASSED = "passed"
    FAILED = "failed"
    RAISED = "raised"
    TIMED_OUT = "timed_out"
    OUT_OF_MEMORY = "out_of_memory"
    SKIPPED = "skipped"
    BROKEN = "broken"
    NOT_ATTEMPTED = "not_attempted"
    UNFINISHED = "unfinished"
    UNREADABLE = "unreadable"

    @property
    def wrong(self) -> bool:
        """Whether the code is at fault: it answered wrongly, or it raised or reached a limit."""
        return self is Outcome.FAILED or self.stopped

    @property
    def stopped(self) -> bool:
        """Whether the code gave no answer: it raised, or reached the limit of time or memory."""
        return self in (Outcome.RAISED, Outcome.TIMED_OUT, Outcome.OUT_OF_MEMORY)

    @property
    def failed_or_raised(self) -> bool:
        """Whether it is wrong within the limits, so that diagnosis can run the code again."""
        return self in (Outcome.FAILED, Outcome.RAISED)

    @property
    def undecided(self) -> bool:
        """Whether the points are neither given nor lost."""
        return self in (Outcome.SKIPPED, Outcome.BROKEN)

    @property
    def unwritten(self) -> bool:
        """Whether there is nothing to judge yet: the code is not there, or not finished."""
        return self in (Outcome.NOT_ATTEMPTED, Outcome.UNFINISHED)

    @property
    def decided(self) -> bool:
        """Whether a check came to an end: it passed, or it is wrong."""
        return self is Outcome.PASSED or self.wrong
