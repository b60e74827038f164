"""Require that the entries of a course's file can be used: nothing of a file that is wrong is."""

from collections.abc import Mapping
from datetime import tzinfo
from typing import Any

from graders import locations
from graders.course import speed_policy
from graders.course.attempt_policy import attempt_policy_of
from graders.course.course_table import BadEntry, CourseTable, unknown_keys
from graders.course.extend import over, row_of, shipped_exercises
from graders.course.late_policy import BadRule, late_policy_of
from graders.course.loss_policy import loss_policy_of
from graders.language import tr

KEYS_OF_ASSIGNMENT = {"title", "title_fr", "exercises", "late", "attempt", "trained"}
KEYS_OF_EXERCISE = {
    *("name", "title", "title_fr", "points"),
    *("timing", "other_names", "tolerance", "activations"),
}
ACTIVATIONS = ("gelu", "relu")  # that may be accepted; the references have the first
MOST_TOLERANCE = 1000.0  # times softmark's own


def require_assignment(
    name: str, own: Any, shipped: Mapping[str, Any], zone: tzinfo | None, *, with_files: bool
) -> None:
    """Require that an assignment's entry can be used.

    Args:
        name: of the assignment.
        own: its entry.
        shipped: the tables of the shipped assignments, where the course extends them.
        zone: of dates that have no offset.
        with_files: whether the exercises must be there.

    Raises:
        BadEntry: something in it is wrong.
    """
    if not isinstance(own, Mapping):
        raise BadEntry(tr("write a table with a title and exercises"), name)
    table = over(own, shipped.get(name, {}))
    if not isinstance(table.get("title"), str):
        raise BadEntry(tr("write a table with a title and exercises"))
    unknown_keys(table, KEYS_OF_ASSIGNMENT)
    if "late" in table:
        try:
            late_policy_of(table["late"], zone)
        except BadRule as error:
            raise BadEntry(str(error), "late") from error
    if "attempt" in table:
        try:
            attempt_policy_of(table["attempt"], has_late_rule="late" in table)
        except BadRule as error:
            raise BadEntry(str(error), "attempt") from error
    if "trained" in table:
        _require_trained(table["trained"])
    exercises = table.get("exercises")
    if not isinstance(exercises, list) or not exercises:
        message = tr('write its exercises, such as [{ name = "concat_heads", points = 2 }]')
        raise BadEntry(message, "exercises")
    rows = shipped_exercises(shipped)
    for number, exercise in enumerate(exercises):
        if any(_name(exercise) == _name(earlier) for earlier in exercises[:number]):
            message = tr("there are two exercises {name}", name=_name(exercise))
            raise BadEntry(message, str(_name(exercise)), last=True)
        _require_exercise(row_of(exercise), rows, with_files=with_files)


def require_once(name: str, assignments: Mapping[str, Any]) -> None:
    """Require that an assignment names no exercise that an earlier one has.

    Raises:
        BadEntry: it does.
    """
    earlier: dict[str, str] = {}
    for other, table in assignments.items():
        names = [row_of(row)["name"] for row in table.get("exercises", ())]
        for exercise in names if other == name else ():
            if exercise in earlier:
                message = tr(
                    "{exercise} is an exercise of [{assignment}] already",
                    exercise=exercise,
                    assignment=earlier[exercise],
                )
                raise BadEntry(message, exercise)
        if other == name:
            return
        earlier |= dict.fromkeys(names, other)


def require_folder(table: CourseTable) -> None:
    """Require that the course's folder is there, and replaces the exercises that its file names, no others.

    Raises:
        BadEntry: it has an exercise of a shipped one's name without saying so, or says so without having it.
    """
    own, *below = locations.course().folders
    replaces = table.replaces
    if not own.assignments.parent.is_dir():
        message = tr("the course's folder is no longer there: --course names it")
        raise BadEntry(message, "folder")
    if table.solutions and not (own.assignments.parent / table.solutions).is_dir():
        raise BadEntry(tr("there is no folder {folder}", folder=table.solutions), "solutions")
    if missing := sorted(name for name in replaces if not own.has(name)):
        message = tr("there is no exercise {name} in the course's own folder", name=missing[0])
        raise BadEntry(message, "replaces", missing[0])
    for folder in (own.assignments, own.checks):
        for path in sorted(folder.glob("*.py")):
            if path.stem not in replaces and any(other.has(path.stem) for other in below):
                raise BadEntry(
                    tr(
                        "{file} has the name of one of softmark's exercises: write replaces ="
                        ' ["{name}"] here to put yours in its place, or choose another name',
                        file=locations.course().describe(path),
                        name=path.stem,
                    )
                )


def _name(exercise: Any) -> Any:
    row = row_of(exercise)
    return row.get("name") if isinstance(row, Mapping) else None


def _require_trained(table: Any) -> None:
    try:
        loss_policy_of(table)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise BadEntry(tr("trained: write a corpus, and targets as numbers"), "trained") from error


def _require_exercise(own: Any, shipped: Mapping[str, Mapping[str, Any]], *, with_files: bool) -> None:
    name = _name(own)
    if not isinstance(name, str) or not name.isidentifier():
        raise BadEntry(tr("each exercise needs a name, a title and points"), "exercises", str(name))
    entry = over(own, shipped.get(name, {}))
    unknown_keys(entry, KEYS_OF_EXERCISE, name)
    if with_files and not any(folder.has(name) for folder in locations.course().folders):
        raise BadEntry(tr("there is no exercise {name}", name=repr(name)), name)
    if not isinstance(entry.get("title"), str):
        raise BadEntry(tr("each exercise needs a name, a title and points"), name)
    points = entry.get("points")
    if isinstance(points, bool) or not isinstance(points, int | float) or not 0 < points < float("inf"):
        raise BadEntry(tr("{name}: points must be a number above 0", name=name), name)
    if "timing" in entry:
        try:
            speed_policy.speed_policy_of(entry["timing"], float(points))
        except speed_policy.BadRule as error:
            raise BadEntry(str(error), name) from error
    _require_changes(name, entry)


def _require_changes(name: str, entry: Mapping[str, Any]) -> None:
    """Require that what an entry changes in an exercise can be changed so."""
    others = entry.get("other_names", [])
    if not isinstance(others, list) or not all(isinstance(o, str) and o.isidentifier() for o in others):
        raise BadEntry(tr('{name}: other_names must be a list such as ["join_heads"]', name=name), name)
    accepted = entry.get("activations", ["gelu"])
    if not isinstance(accepted, list) or "gelu" not in accepted or not set(accepted) <= set(ACTIVATIONS):
        raise BadEntry(tr('{name}: activations must be ["gelu"] or ["gelu", "relu"]', name=name), name)
    times = entry.get("tolerance", 1)
    if isinstance(times, bool) or not isinstance(times, int | float) or not 1 <= times <= MOST_TOLERANCE:
        message = tr(
            "{name}: tolerance must be a number from 1 to {most}, by which softmark's own is multiplied",
            name=name,
            most=f"{MOST_TOLERANCE:g}",
        )
        raise BadEntry(message, name)
