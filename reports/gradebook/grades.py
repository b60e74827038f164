"""`grades.csv`: the class's marks for spreadsheets. Students without a submission have a line, too."""

import csv
import io
from collections.abc import Sequence

from graders.classroom.marks import Mark, Student
from graders.results.result import ExerciseResult, Result
from reports.class_statistics import tally
from reports.gradebook.cell_text import harmless, number

Cell = str | int | float

COLUMNS = ("id", "points", "max_points", "undecided_points")
MORE = (
    *("student_id", "name", "email", "group"),
    *("machine_points", "handed_in", "days_late", "late_points", "overrides"),
)


def grades_csv(results: Sequence[Result], marks: Sequence[Mark]) -> str:
    """One row per mark, or per student of a team: points, what softmark found in each exercise, whose it is.

    `points` is what counts, with overrides and lateness; it is empty where nothing was handed in.
    """
    names = list(tally.exercises(results))
    by_id = {result.submission.id: result for result in results}
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    header = [*COLUMNS, *(column for name in names for column in (name, f"{name}_outcome")), *MORE]
    writer.writerow([harmless(name) for name in header])
    for mark in marks:
        for student in mark.team or (mark.student,):
            writer.writerow(_row(mark, by_id.get(mark.id), names) + _more(mark, student))
    return text.getvalue()


def _row(mark: Mark, result: Result | None, names: Sequence[str]) -> list[Cell]:
    cells = [harmless(mark.id), *(number(n) for n in (mark.points, mark.max_points, mark.undecided))]
    for name in names:
        cells += _exercise(tally.exercise(result, name) if result else None)
    return cells


def _exercise(exercise: ExerciseResult | None) -> list[Cell]:
    return ["", ""] if exercise is None else [number(exercise.points), str(exercise.outcome)]


def _more(mark: Mark, who: Student | None) -> list[Cell]:
    late = mark.late
    return [
        *(harmless(text) for text in ((who.id, who.name, who.email, who.group) if who else [""] * 4)),
        number(mark.machine),
        mark.handed_in.isoformat() if mark.handed_in else "",
        late.days if late else "",
        number(late.lost) if late else "",
        harmless("; ".join(_set(mark))),
    ]


def _set(mark: Mark) -> list[str]:
    """What the instructor set, in words."""
    return [
        f"{o.exercise or 'the whole'} {number(o.points)}{f': {o.comment}' if o.comment else ''}"
        for o in mark.overrides
    ]
