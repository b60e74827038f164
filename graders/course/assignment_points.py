"""What an assignment and its exercises are worth and called now: results that exist follow, by arithmetic."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from graders.course.course_file import read_course
from graders.course.outline import outline
from graders.language import LANGUAGES, Language


@dataclass(frozen=True)
class ExercisePoints:
    """What an exercise is worth.

    Attributes:
        titles: by language.
        points: of the whole exercise.
        for_speed: how many of them are for speed.
    """

    titles: Mapping[Language, str]
    points: float
    for_speed: float = 0


@dataclass(frozen=True)
class AssignmentPoints:
    """What an assignment is worth.

    Attributes:
        name: of the assignment.
        titles: by language.
        exercises: by name, in their order.
        entry: what the course's file says of the assignment.
    """

    name: str
    titles: Mapping[Language, str]
    exercises: Mapping[str, ExercisePoints]
    entry: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    _checks: dict[str, Mapping[str, float]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def points(self) -> float:
        """The sum over the exercises."""
        return round(sum(exercise.points for exercise in self.exercises.values()), 2)

    def points_of_checks(self, exercise: str) -> Mapping[str, float]:
        """What each check of an exercise brings, by its name; none where its checks file cannot be read."""
        if exercise not in self._checks:  # to read a checks file takes 15 ms: only where points differ
            rows = [row for row in self.entry.get("exercises", ()) if row["name"] == exercise]
            read = [outline(row, dict(self.entry)) for row in rows]
            self._checks[exercise] = {check.name: check.points for each in read for check in each.checks}
        return self._checks[exercise]


def assignment_points(name: str) -> AssignmentPoints | None:
    """What the course's file says that an assignment is worth; None where it has no such assignment."""
    entry = read_course().get(name)
    if entry is None:
        return None
    exercises = {
        str(row["name"]): ExercisePoints(
            _titles(row), float(row["points"]), float(row["timing"]["points"]) if "timing" in row else 0.0
        )
        for row in entry["exercises"]
    }
    return AssignmentPoints(name, _titles(entry), exercises, entry)


def _titles(table: Mapping[str, Any]) -> Mapping[Language, str]:
    return {language: str(table.get(f"title_{language}", table["title"])) for language in LANGUAGES}
