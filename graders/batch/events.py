"""What happens while a class is graded: `grade_class` gives these to its caller, as data, not as words."""

from dataclasses import dataclass

from graders.results.result import Result
from graders.sandbox.isolation.level import IsolationLevel


@dataclass(frozen=True, kw_only=True, slots=True)
class LevelsFailed:
    """Better levels of isolation than the one in force do not hold, all for one reason."""

    levels: str
    problem: str


@dataclass(frozen=True, kw_only=True, slots=True)
class UnwalledBox:
    """Code runs without a wall around it, since that was allowed."""

    level: IsolationLevel


@dataclass(frozen=True, kw_only=True, slots=True)
class ExerciseBroken:
    """A file of an exercise is broken: it stays undecided for all, and the others are graded."""

    exercise: str
    fault: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ClassTaken:
    """The class was taken in: each of its submissions is looked up first, to use results that still hold."""

    submissions: int


@dataclass(frozen=True, kw_only=True, slots=True)
class SubmissionReused:
    """A submission has a result that holds. If it is `stale`, it is kept although something has changed."""

    result: Result
    stale: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class SubmissionToGrade:
    """A submission has no result that holds, and will be graded."""

    id: str


@dataclass(frozen=True, kw_only=True, slots=True)
class GradingBegan:
    """All submissions are looked up; these are graded now, at this level of isolation."""

    submissions: int
    level: IsolationLevel


@dataclass(frozen=True, kw_only=True, slots=True)
class SubmissionGraded:
    """A submission was graded; its result, in compact form, is kept."""

    result: Result


@dataclass(frozen=True, kw_only=True, slots=True)
class SubmissionBroken:
    """softmark failed on a submission: these points are undecided, and the next run grades it again."""

    result: Result


@dataclass(frozen=True, kw_only=True, slots=True)
class PageFailed:
    """The result of a submission is kept, and its page could not be made."""

    id: str
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class DrawingBegan:
    """All are graded; what was asked for beside the results is drawn now."""

    submissions: int


@dataclass(frozen=True, kw_only=True, slots=True)
class SubmissionDrawn:
    """A submission was drawn; `problem` says for staff why not, where it was not."""

    problem: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class ClassDone:
    """All is written; `notes` are sentences for the instructor about the class."""

    notes: tuple[str, ...]


Event = (
    LevelsFailed
    | UnwalledBox
    | ExerciseBroken
    | ClassTaken
    | SubmissionReused
    | SubmissionToGrade
    | GradingBegan
    | SubmissionGraded
    | SubmissionBroken
    | PageFailed
    | DrawingBegan
    | SubmissionDrawn
    | ClassDone
)


def ignore(event: Event) -> None:
    """Do nothing with an event: for a caller who waits for the results."""
