"""Put what happens while a class is graded into words: the one place that knows both."""

import click

from graders.batch.events import (
    ClassDone,
    ClassTaken,
    DrawingBegan,
    Event,
    ExerciseBroken,
    GradingBegan,
    LevelsFailed,
    PageFailed,
    SubmissionBroken,
    SubmissionDrawn,
    SubmissionGraded,
    SubmissionReused,
    SubmissionToGrade,
    UnwalledBox,
)
from graders.batch.publish_page import describe_page_failure
from graders.cli.progress import ShownProgress
from graders.cli.tell_faults import tell_fault
from graders.language import number, tr, trn


class ShownRun:
    """Shows the events of a run in the terminal. `total` submissions were asked for, and `done` are done."""

    def __init__(self) -> None:
        self.done = self.total = 0
        self._progress: ShownProgress | None = None

    def show(self, event: Event) -> None:
        """Show an event."""
        match event:
            case LevelsFailed(levels=levels, problem=problem):
                _warn(tr("not {level}: {why}", level=levels, why=problem))
            case ExerciseBroken(exercise=exercise, fault=fault):
                tell_fault(exercise, fault)
            case UnwalledBox():
                _warn(tr("NOT BOXED: other people's code runs with all your rights."))
            case ClassTaken(submissions=count):
                self.total = count
                self._begin(ShownProgress(count, _describe_count(count), _describe_to_grade))
            case SubmissionReused():
                self.done += 1
                self._count(0)
            case SubmissionToGrade():
                self._count(1)
            case GradingBegan(submissions=count, level=level):
                label = tr("{n} to grade, sandbox: {level}", n=number(count, ","), level=level)
                self._begin(ShownProgress(count, label, _describe_wrong))
            case SubmissionGraded(result=result) | SubmissionBroken(result=result):
                self.done += 1
                self._count(int(not result.has_passed))
            case PageFailed(id=name, reason=reason):
                _warn(describe_page_failure(name, reason))
            case DrawingBegan(submissions=count):
                label = trn("heads of {n} submission", "heads of {n} submissions", count)
                self._begin(ShownProgress(count, label, _describe_not_drawn))
            case SubmissionDrawn(problem=problem):
                self._count(int(problem is not None))
                if problem is not None:
                    _warn(problem)
            case ClassDone():
                self.close()

    def close(self) -> None:
        """Show no more progress."""
        if self._progress is not None:
            self._progress.close()
            self._progress = None

    def _begin(self, progress: ShownProgress) -> None:
        self.close()
        self._progress = progress

    def _count(self, notes: int) -> None:
        if self._progress is not None:
            self._progress.count(notes)


def _warn(sentence: str) -> None:
    click.echo(sentence, err=True)


def _describe_count(count: int) -> str:
    return trn("{n} submission", "{n} submissions", count)


def _describe_to_grade(count: int) -> str:
    return tr("{n} to grade", n=number(count, ","))


def _describe_wrong(count: int) -> str:
    return tr("{n} with something wrong", n=number(count, ","))


def _describe_not_drawn(count: int) -> str:
    return tr("{n} not drawn", n=number(count, ","))
