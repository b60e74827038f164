"""No second chances: a draw that failed and holds when it is tried again is a failure by itself."""

from graders.candidate.student_error import RaisedByStudent
from graders.check_api.compare import Violation
from graders.language import tr


class TryAlone(Exception):
    """The draws could not be tried together: this one has to be tried by itself."""


class AnotherAnswer(Violation):
    """A draw failed, and held when it was tried again: the code answers the same requests differently."""

    def __init__(self, first: Exception) -> None:
        message = tr("another answer the second time. The first time: {failure}", failure=str(first))
        tensors = (first.expected, first.actual, first.worst) if isinstance(first, Violation) else ()
        super().__init__(message, *tensors)


def is_wrong(failure: Exception) -> bool:
    """Whether the code gave a wrong answer or raised, and no limit explains it."""
    if isinstance(failure, RaisedByStudent):
        return failure.limit is None
    return isinstance(failure, Violation)


def kind_of(result: Exception | str | None) -> tuple[object, ...]:
    """The kind of a failure, and of the error if the code raised one."""
    return type(result), result.kind if isinstance(result, RaisedByStudent) else ""
