"""`grades.csv`: the marks of a class for spreadsheets, including students without a submission."""

import csv
import io
from collections.abc import Iterator, Sequence

from graders.classroom.marks import Mark, Student
from graders.language import current_language
from graders.results.result import ExerciseResult, Result
from reports.class_statistics import tally
from reports.gradebook.cell_text import escape_formula, rounded_number

Cell = str | int | float

COLUMNS = ("id", "points", "max_points", "undecided_points")
FURTHER_COLUMNS = (
    *("student_id", "name", "email", "group"),
    *("machine_points", "handed_in", "days_late", "late_points", "overrides", "held"),
)


def grades_csv(results: Sequence[Result], marks: Sequence[Mark]) -> str:
    """One row per mark, or per member of a team: points, the outcome of each exercise, the student.

    `points` are final, after overrides and lateness; they are empty where nothing was handed in.
    """
    text = io.StringIO(newline="")
    csv.writer(text).writerows(_rows(results, marks))
    return text.getvalue()


def grades_for_excel(results: Sequence[Result], marks: Sequence[Mark]) -> bytes:
    """The same as a French or an English Excel opens it by a double click: the language decides the marks.

    It is for others, and has no row of a mark that is held back.

    Excel reads UTF-8 where a byte order mark says so; it takes the list separator and the decimal mark of
    its own language, which in French are a semicolon and a comma.
    """
    french = current_language() == "fr"
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=";" if french else ",")
    for row in _rows(results, marks, with_held=False):
        writer.writerow([str(c).replace(".", ",") if french and isinstance(c, float) else c for c in row])
    return text.getvalue().encode("utf-8-sig")


def _rows(
    results: Sequence[Result], marks: Sequence[Mark], *, with_held: bool = True
) -> Iterator[list[Cell]]:
    names = list(tally.exercise_titles(results))
    by_id = {result.submission.id: result for result in results}
    header = [*COLUMNS, *(column for name in names for column in (name, f"{name}_outcome")), *FURTHER_COLUMNS]
    yield [escape_formula(name) for name in header]
    for mark in marks:
        for student in mark.team or (mark.student,):
            own = mark.of(student)
            if own.held and not with_held:
                continue
            yield _row(own, by_id.get(mark.id), names) + _further_cells(own, student)


def _row(mark: Mark, result: Result | None, names: Sequence[str]) -> list[Cell]:
    cells = [
        escape_formula(mark.id),
        *(rounded_number(n) for n in (mark.points, mark.max_points, mark.undecided)),
    ]
    for name in names:
        cells += _exercise(tally.find_exercise(result, name) if result else None)
    return cells


def _exercise(exercise: ExerciseResult | None) -> list[Cell]:
    return ["", ""] if exercise is None else [rounded_number(exercise.points), str(exercise.outcome)]


def _further_cells(mark: Mark, student: Student | None) -> list[Cell]:
    late = mark.late
    return [
        *(
            escape_formula(text)
            for text in ((student.id, student.name, student.email, student.group) if student else [""] * 4)
        ),
        rounded_number(mark.machine),
        mark.handed_in.isoformat() if mark.handed_in else "",
        late.days if late else "",
        rounded_number(late.lost) if late else "",
        escape_formula("; ".join(_describe_overrides(mark))),
        "held" if mark.held else "",
    ]


def _describe_overrides(mark: Mark) -> list[str]:
    """The overrides of the instructor, in words."""
    return [
        f"{o.exercise or 'the whole'} {rounded_number(o.points)}{f': {o.comment}' if o.comment else ''}"
        for o in mark.overrides
    ]
