"""The class's points as CSV, for gradebooks and spreadsheets."""

import csv
import io
from collections.abc import Sequence

from graders.result import ExerciseResult, Result
from reports import tally

# A spreadsheet takes a cell that begins so for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")

Cell = str | int | float


def grades_csv(results: Sequence[Result]) -> str:
    """One row per submission: id, points, and each exercise's points and outcome."""
    names = list(tally.exercises(results))
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow([_text(name) for name in _header(names)])
    writer.writerows(_row(result, names) for result in results)
    return text.getvalue()


def _header(names: Sequence[str]) -> list[str]:
    columns = ["id", "points", "max_points", "undecided_points"]
    for name in names:
        columns += [name, f"{name}_outcome"]
    return columns


def _row(result: Result, names: Sequence[str]) -> list[Cell]:
    cells = [
        _text(result.submission.id),
        *(_number(n) for n in (result.points, result.max_points, result.undecided_points)),
    ]
    for name in names:
        cells += _exercise(tally.exercise(result, name))
    return cells


def _exercise(exercise: ExerciseResult | None) -> list[Cell]:
    return ["", ""] if exercise is None else [_number(exercise.points), str(exercise.outcome)]


def _text(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


def _number(value: float) -> int | float:
    rounded = round(float(value), 4)
    return int(rounded) if rounded.is_integer() else rounded
