"""The last lines of pytest: points by exercise and submission, remarks, and a warning without a box."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from graders.course.outline import entry, outlines, title
from graders.language import tr, trn
from graders.pytest_plugin.items import speaking_of
from reports import words

OPEN = "open"  # the isolation level without isolation


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
class Submission:
    """One submission, as the reports of its checks describe it."""

    assignment: str
    checks: int = 0
    whole: Points = field(default_factory=Points)
    exercises: dict[str, Points] = field(default_factory=dict)
    remarks: dict[str, None] = field(default_factory=dict)
    boxed: bool = True


def summarise(reporter: "pytest.TerminalReporter", reports: Iterable[object]) -> None:
    """Write the points of each submission that checks ran for."""
    with speaking_of(reporter.config):
        for name, submission in sorted(_submissions(reports).items()):
            reporter.section(f"softmark: {name}")
            if not submission.boxed:
                message = tr("NOT BOXED: it runs with all your rights. Only for your own code.")
                reporter.write_line(message, yellow=True)
            for line in _lines(submission):
                reporter.write_line(line)
            reporter.write_line(f"softmark: {submission.whole}", bold=True)


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
        submission.exercises.setdefault(str(properties["exercise"]), Points()).add(properties)
        submission.remarks |= {str(v): None for k, v in report.user_properties if k == "remark"}
        submission.boxed &= properties.get("sandbox") != OPEN
    return submissions


def _lines(submission: Submission) -> list[str]:
    exercise_outlines = outlines(submission.assignment)
    lines = [title(entry(submission.assignment))]
    exercises = submission.exercises
    rows = [(o.title, exercises[o.name]) for o in exercise_outlines if o.name in exercises]
    width = max(len(name) for name, _ in rows)
    lines += [f"  {name:{width}}  {points}" for name, points in rows]
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
