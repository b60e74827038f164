"""The last lines of pytest: points by exercise and submission, remarks, and a word where there was no box."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from graders.course.outline import entry, outlines, title
from graders.language import tr, trn
from graders.pytest_plugin.items import speaking_of
from reports import words

OPEN = "open"  # the rung that is none


@dataclass
class Points:
    """What was reached, what could be, and what is still undecided."""

    got: float = 0.0
    most: float = 0.0
    undecided: float = 0.0

    def add(self, told: Mapping[str, Any]) -> None:
        """Count a check."""
        self.got += told["points"]
        self.most += told["max_points"]
        self.undecided += told["undecided_points"]

    def __str__(self) -> str:
        # Shares of points are kept to four digits; their sum must be the whole again.
        return words.total(round(self.got, 2), round(self.most, 2), round(self.undecided, 2))


@dataclass
class Submission:
    """All that was reported of one submission."""

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
                says = tr("NOT BOXED: it runs with all your rights. Only for your own code.")
                reporter.write_line(says, yellow=True)
            for line in _lines(submission):
                reporter.write_line(line)
            reporter.write_line(f"softmark: {submission.whole}", bold=True)


def _submissions(reports: Iterable[object]) -> dict[str, Submission]:
    """By name, from the last report on each check: under xdist they come from several processes."""
    last = {r.nodeid: r for r in reports if isinstance(r, pytest.TestReport)}
    found: dict[str, Submission] = {}
    for nodeid, report in last.items():
        told = dict(report.user_properties)
        if "softmark" not in told:
            continue
        submission = found.setdefault(nodeid.partition("::")[0], Submission(str(told["softmark"])))
        submission.checks += 1
        submission.whole.add(told)
        submission.exercises.setdefault(str(told["exercise"]), Points()).add(told)
        submission.remarks |= {str(v): None for k, v in report.user_properties if k == "remark"}
        submission.boxed &= told.get("sandbox") != OPEN
    return found


def _lines(submission: Submission) -> list[str]:
    asked = outlines(submission.assignment)
    lines = [title(entry(submission.assignment))]
    exercises = submission.exercises
    shown = [(each.title, exercises[each.name]) for each in asked if each.name in exercises]
    width = max(len(name) for name, _ in shown)
    lines += [f"  {name:{width}}  {points}" for name, points in shown]
    there = sum(len(each.checks) for each in asked)
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
        lines += [tr("Remarks"), *(f"  {says}" for says in submission.remarks)]
    return lines
