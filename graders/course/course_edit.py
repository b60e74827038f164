"""Changes of the text of course.toml that keep all else in it: a new exercise, other points for another."""

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from graders.language import Language

_POINTS = re.compile(r"\bpoints[ \t]*=[ \t]*([0-9._eE+]+)")


class OtherForm(Exception):
    """The text is not written as one exercise a line; somebody has to change it by hand."""


def surplus(table: Mapping[str, Any], points: float, whole: float) -> float:
    """By how much an assignment exceeds the `whole` of its points with an exercise more; 0 where it does not.

    It has as many as it likes where the whole is 0.
    """
    return max(0.0, round(sum(map(_points, table["exercises"])) + points - whole, 9)) if whole else 0.0


def givers(table: Mapping[str, Any], points: float) -> dict[str, float]:
    """The exercises of an assignment that can give so many points and keep some, with what they keep."""
    keep = {row["name"]: round(_points(row) - points, 9) for row in table["exercises"] if "name" in row}
    for_time = {row.get("name"): _points(row.get("timing", {})) for row in table["exercises"]}
    return {name: kept for name, kept in keep.items() if kept > for_time[name]}


def _points(row: Mapping[str, Any]) -> float:
    """The points that a table of course.toml says; 0 where it says none."""
    points = row.get("points")
    return float(points) if isinstance(points, int | float) else 0.0


def add_exercise(course: str, assignment: str, line: str) -> str:
    """The text with a line more at the end of an assignment's exercises.

    Raises:
        OtherForm: the assignment's list of exercises is not written as one exercise a line.
    """
    lines = course.split("\n")
    _, last = _list_of(lines, assignment)

    def change(tables: dict[str, Any]) -> None:
        tables[assignment]["exercises"].append(tomllib.loads(f"row = [{line}\n]")["row"][0])

    return _changed(course, ["\n".join([*lines[:last], line, *lines[last:]])], change)


def add_assignment(course: str, assignment: str, languages: Sequence[Language]) -> str:
    """The text with an assignment more, which has its name for a title and no exercises yet."""
    titles = [f'{key} = "{assignment}"' for key in ("title", "title_fr")[: len(languages)]]
    return "\n".join([course.rstrip("\n"), "", f"[{assignment}]", *titles, "exercises = [", "]", ""])


def set_points(course: str, assignment: str, exercise: str, points: float) -> str:
    """The text with other points for an exercise.

    Raises:
        OtherForm: its points are not found.
    """
    lines = course.split("\n")
    first, last = _list_of(lines, assignment)
    texts = []
    for number in range(first, last):
        for found in _POINTS.finditer(lines[number]):
            line = f"{lines[number][: found.start(1)]}{points:g}{lines[number][found.end(1) :]}"
            texts.append("\n".join([*lines[:number], line, *lines[number + 1 :]]))

    def change(tables: dict[str, Any]) -> None:
        rows = [row for row in tables[assignment]["exercises"] if isinstance(row, dict)]
        for row in rows:
            if row["name"] == exercise:
                row["points"] = points

    return _changed(course, texts, change)


def _list_of(lines: list[str], assignment: str) -> tuple[int, int]:
    """The numbers of the first line of an assignment's exercises, and of the line that ends them."""
    bare = [line.partition("#")[0].strip() for line in lines]
    try:
        start = bare.index("exercises = [", bare.index(f"[{assignment}]"))
        return start + 1, bare.index("]", start)
    except ValueError:
        raise OtherForm from None


def _changed(course: str, texts: list[str], change: Callable[[dict[str, Any]], None]) -> str:
    """The first of these texts that says what the change makes of the course, and nothing else.

    Raises:
        OtherForm: none does.
    """
    due = tomllib.loads(course)
    change(due)
    for text in texts:
        try:
            if tomllib.loads(text) == due:
                return text
        except tomllib.TOMLDecodeError:
            continue
    raise OtherForm
