"""The last lines of pytest: points by exercise and submission, remarks, and a warning without a box."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from graders.course.outline import ExerciseOutline, entry, outlines, title
from graders.language import tr, translatable, trn
from graders.pytest_plugin.items import speaking_of
from graders.results.result import Definition, ExerciseResult, Outcome, Place
from reports import words
from reports.next_step import next_step

_WITHOUT_WALL = {  # by the level of the box
    "open": translatable("NOT BOXED: it runs with all your rights. Only for your own code."),
    "process": translatable("Your code runs with your rights, in a process of its own."),
}


@dataclass
class Points:
    """The points that checks gave, their maximum, and the undecided points."""

    got: float = 0.0
    most: float = 0.0
    undecided: float = 0.0

    def add(self, properties: Mapping[str, Any]) -> None:
        """Add those of one check, from the properties of its report."""
        self.got += properties["points"]
        self.most += properties["max_points"]
        self.undecided += properties["undecided_points"]

    def __str__(self) -> str:
        # Points of checks are rounded to four digits; rounded again, they sum to the total.
        return words.total(round(self.got, 2), round(self.most, 2), round(self.undecided, 2))


@dataclass
class Exercise:
    """One exercise: its points, its outcome, what to mend before it, and how much of it there is."""

    points: Points = field(default_factory=Points)
    outcome: str = ""
    fix_first: tuple[str, ...] = ()
    parts_replaced: tuple[str, ...] = ()
    not_counted: float = 0
    defined: bool = False
    begun: bool = False

    def add(self, report: pytest.TestReport) -> None:
        """Add what the report of one of its checks says."""
        properties = dict(report.user_properties)
        self.points.add(properties)
        self.outcome = str(properties.get("outcome", self.outcome))
        self.fix_first = _values(report, "fix_first")
        self.parts_replaced = _values(report, "parts_replaced")
        self.not_counted = float(str(properties.get("not_counted", 0)))
        self.defined, self.begun = bool(properties["defined"]), bool(properties.get("begun"))


def _values(report: pytest.TestReport, name: str) -> tuple[str, ...]:
    return tuple(str(value) for key, value in report.user_properties if key == name)


@dataclass
class Submission:
    """One submission, as the reports of its checks describe it."""

    assignment: str
    checks: int = 0
    whole: Points = field(default_factory=Points)
    exercises: dict[str, Exercise] = field(default_factory=dict)
    remarks: dict[str, None] = field(default_factory=dict)
    sandbox: str = ""


def summarise(reporter: "pytest.TerminalReporter", reports: Iterable[object]) -> None:
    """Write the points of each submission that checks ran for."""
    with speaking_of(reporter.config):
        for name, submission in sorted(_submissions(reports).items()):
            reporter.section(f"softmark: {name}")
            if says := _WITHOUT_WALL.get(submission.sandbox):
                reporter.write_line(tr(says), yellow=submission.sandbox == "open")
            for line in _lines(submission):
                reporter.write_line(line)
            reporter.write_line(f"softmark: {submission.whole}", bold=True)
            if step := _next_step(submission):
                reporter.write_line(f"softmark: {step}", bold=True)


def _submissions(reports: Iterable[object]) -> dict[str, Submission]:
    """The submissions by name, from each check's last report; under xdist several processes report."""
    last = {r.nodeid: r for r in reports if isinstance(r, pytest.TestReport)}
    submissions: dict[str, Submission] = {}
    for nodeid, report in last.items():
        properties = dict(report.user_properties)
        if "softmark" not in properties:
            continue
        submission = submissions.setdefault(
            nodeid.partition("::")[0], Submission(str(properties["softmark"]))
        )
        submission.checks += 1
        submission.whole.add(properties)
        submission.exercises.setdefault(str(properties["exercise"]), Exercise()).add(report)
        submission.remarks |= {str(v): None for k, v in report.user_properties if k == "remark"}
        submission.sandbox = str(properties.get("sandbox", submission.sandbox))
    return submissions


def _lines(submission: Submission) -> list[str]:
    exercise_outlines = outlines(submission.assignment)
    lines = [title(entry(submission.assignment))]
    ended = [(o, submission.exercises[o.name]) for o in exercise_outlines if o.name in submission.exercises]
    width = max(len(outline.title) for outline, _ in ended)
    for outline, exercise in ended:
        lines.append(f"  {outline.title:{width}}  {exercise.points}")
        if about_points := words.about_points(_result(outline, exercise)):
            lines.append(f"    {about_points}")
    there = sum(len(o.checks) for o in exercise_outlines)
    if submission.checks < there:
        lines.append(
            trn(
                "{n} of {there} checks is counted",
                "{n} of {there} checks are counted",
                submission.checks,
                there=there,
            )
        )
    if submission.remarks:
        lines += [tr("Remarks"), *(f"  {remark}" for remark in submission.remarks)]
    return lines


def _next_step(submission: Submission) -> str | None:
    """What to do next, from the exercises whose checks have ended."""
    ended = [(o, submission.exercises.get(o.name)) for o in outlines(submission.assignment)]
    return next_step([_result(o, exercise) for o, exercise in ended if exercise and exercise.outcome])


def _result(outline: ExerciseOutline, exercise: Exercise) -> ExerciseResult:
    """What is known of an exercise from the reports of its checks."""
    return ExerciseResult(
        outline.name,
        outline.title,
        Outcome(exercise.outcome or Outcome.BROKEN),
        exercise.points.got,
        exercise.points.most,
        fix_first=exercise.fix_first,
        parts_replaced=exercise.parts_replaced,
        not_counted=exercise.not_counted,
        symbol=outline.symbol,
        definitions=(Definition("", None, 1, ""),) if exercise.defined else (),
        place=Place("", None, 1) if exercise.begun else None,
    )
