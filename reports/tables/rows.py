"""The results of a class as two tables for people who analyse: a row per exercise, and a row per check.

docs/analysis.md describes the columns.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from graders.classroom.marks import Mark
from graders.results.result import ExerciseResult, Finding, Result

Value = str | int | float | None


@dataclass(frozen=True)
class Table:
    """A table: its name, and its columns with the type of their values."""

    name: str
    columns: tuple[tuple[str, type], ...]


EXERCISES = Table(
    "exercises",
    (
        ("id", str),
        ("student_id", str),
        ("student_name", str),
        ("student_group", str),
        ("handed_in", str),
        ("days_late", int),
        ("submission_points", float),
        ("submission_max_points", float),
        ("exercise", str),
        ("title", str),
        ("outcome", str),
        ("points", float),
        ("set_points", float),
        ("max_points", float),
        ("undecided_points", float),
        ("fix_first", str),
        ("time_ratio", float),
        ("time_band", str),
        ("loss", float),
        ("graded_at", str),
        ("seconds", float),
        ("sandbox", str),
        ("language", str),
        ("softmark", str),
        ("torch", str),
    ),
)
CHECKS = Table(
    "checks",
    (
        ("id", str),
        ("exercise", str),
        ("check_name", str),
        ("says", str),
        ("outcome", str),
        ("points", float),
        ("max_points", float),
        ("mistake", str),
        ("limit_met", str),
        ("message", str),
    ),
)
TABLES = (EXERCISES, CHECKS)


class Rows(NamedTuple):
    """Rows of the two tables."""

    exercises: list[tuple[Value, ...]]
    checks: list[tuple[Value, ...]]


def rows_of(result: Result, mark: Mark) -> Rows:
    """The rows of a submission."""
    about = _about(mark)
    run = (
        result.graded_at,
        float(result.seconds),
        result.sandbox,
        result.language,
        result.versions.get("softmark"),
        result.versions.get("torch"),
    )
    return Rows(
        [(*about, *_exercise(exercise, mark), *run) for exercise in result.exercises],
        [
            (result.submission.id, exercise.name, *_check(finding))
            for exercise in result.exercises
            for finding in exercise.findings
        ],
    )


def absent_rows(marks: Iterable[Mark]) -> Iterator[tuple[Value, ...]]:
    """A row of the first table for each of these marks, which have no result: it has no exercise."""
    for mark in marks:
        about_mark = _about(mark)
        yield (*about_mark, *[None] * (len(EXERCISES.columns) - len(about_mark)))


def _about(mark: Mark) -> tuple[Value, ...]:
    student = mark.student
    return (
        mark.id,
        student.id if student else None,
        student.name if student else None,
        student.group if student else None,
        mark.handed_in.isoformat() if mark.handed_in else None,
        mark.late.days if mark.late else None,
        None if mark.points is None else float(mark.points),
        float(mark.max_points),
    )


def _exercise(exercise: ExerciseResult, mark: Mark) -> tuple[Value, ...]:
    override, timing, trained = mark.override(exercise.name), exercise.timing, exercise.trained
    return (
        exercise.name,
        exercise.title,
        str(exercise.outcome),
        float(exercise.points),
        float(override.points) if override else None,
        float(exercise.max_points),
        float(exercise.undecided_points),
        ", ".join(exercise.fix_first) or None,
        timing.ratio if timing else None,
        (timing.band or None) if timing else None,
        trained.held_out if trained else None,
    )


def _check(finding: Finding) -> tuple[Value, ...]:
    return (
        finding.check,
        finding.says,
        str(finding.outcome),
        float(finding.points),
        float(finding.max_points),
        finding.mistake.name if finding.mistake else None,
        str(finding.limit) if finding.limit else None,
        finding.message,
    )


def columns(table: Table, rows: Sequence[tuple[Value, ...]]) -> dict[str, list[Any]]:
    """The same rows by column."""
    return {name: [row[i] for row in rows] for i, (name, _) in enumerate(table.columns)}
