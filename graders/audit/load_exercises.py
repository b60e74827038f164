"""The exercises to be audited, each loaded by itself: one that cannot be loaded does not stop the others."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graders.audit.find_source_gaps import source_gaps
from graders.audit.find_text_gaps import assignment_gaps, checks_file, text_gaps
from graders.course.course_file import read_course
from graders.course.describe_error import describe_error
from graders.course.exercise import Exercise, load_exercise
from graders.course.reference import reference
from graders.language import tr
from graders.locations import course
from graders.results.audit_result import AuditedExercise


@dataclass(frozen=True)
class ExercisesToAudit:
    """What is to be audited.

    Attributes:
        exercises: those that can be tried, each with the name of its assignment.
        entries: their entries in course.toml, by name.
        faulty: assignments and exercises whose files or entries are wrong, with the gaps.
        order: all names in the course's order.
    """

    exercises: list[tuple[str, Exercise]]
    entries: dict[str, Mapping[str, Any]]
    faulty: list[AuditedExercise]
    order: list[str]


def load_exercises(name: str | None) -> ExercisesToAudit:
    """The exercises of the course, or those that `name` names.

    Args:
        name: an assignment or an exercise; None for all.

    Raises:
        tomllib.TOMLDecodeError: course.toml is no TOML.
    """
    loaded = ExercisesToAudit([], {}, [], [])
    for assignment, table in read_course().items():
        chosen = [e for e in table.get("exercises", []) if name in (None, assignment, e.get("name"))]
        if chosen:
            _load_assignment(loaded, assignment, table, chosen)
    return loaded


def _load_assignment(
    loaded: ExercisesToAudit, assignment: str, table: Mapping[str, Any], chosen: list[Mapping[str, Any]]
) -> None:
    loaded.order.append(assignment)
    _add_fault(loaded, assignment, assignment, table, list(assignment_gaps(assignment, table)))
    for entry in chosen:
        name = str(entry.get("name", "?"))
        loaded.order.append(name)
        problem = _problem_before_loading(name, entry)
        if problem is None:
            try:
                exercise = load_exercise(dict(entry), dict(table))
                problem = _problem_of_solution(exercise)
            except (Exception, SystemExit) as error:
                problem = tr("it cannot be loaded: correct it: {error}", error=describe_error(error))
        if problem is not None:
            _add_fault(loaded, name, assignment, entry, [problem])
        elif exercise.rule is None:
            loaded.exercises.append((assignment, exercise))
            loaded.entries[name] = entry
        else:  # no answer of ours is right or wrong by its code alone where a trained model is asked for
            _add_fault(loaded, name, assignment, entry, _gaps_of_texts(exercise, entry))


def _add_fault(
    loaded: ExercisesToAudit, name: str, assignment: str, entry: Mapping[str, Any], gaps: list[str]
) -> None:
    if gaps:
        title = str(entry.get("title", name))
        loaded.faulty.append(
            AuditedExercise(
                name=name, title=title, assignment=assignment, checks=(), tried=(), gaps=tuple(gaps)
            )
        )


def _gaps_of_texts(exercise: Exercise, entry: Mapping[str, Any]) -> list[str]:
    try:
        return [*text_gaps(exercise, entry), *source_gaps(exercise)]
    except Exception as error:  # as where an exercise is loaded
        return [tr("it cannot be audited: correct it: {error}", error=describe_error(error))]


def _problem_before_loading(name: str, entry: Mapping[str, Any]) -> str | None:
    """Why an exercise cannot be loaded, as far as that shows without loading it."""
    for key in ("name", "title", "points"):
        if key not in entry:
            return tr("{file}, {name}: write its {key}", file=course().name, name=name, key=key)
    points = entry["points"]
    if isinstance(points, bool) or not isinstance(points, int | float) or points <= 0:
        return tr("{file}, {name}: points must be a number above 0", file=course().name, name=name)
    if not course().stub(name).is_file():
        return tr(
            "assignments/{name}.py is missing: write in it the cells that students get; the last definition"
            " is the stub",
            name=name,
        )
    if not course().checks(name).is_file():
        return tr("{file} is missing: write the checks of the exercise in it", file=checks_file(name))
    return None


def _problem_of_solution(exercise: Exercise) -> str | None:
    """Why the checks of an exercise cannot be tried: nothing to try, or no reference."""
    if exercise.rule is not None:
        return None
    solution = course().solution(exercise.name)
    if solution.parent.is_dir() and not solution.is_file():
        return tr(
            "solutions/{name}.py is missing: write in it the reference, {symbol}, and known mistakes as"
            " {symbol}__mistake",
            name=exercise.name,
            symbol=exercise.symbol,
        )
    try:
        reference(exercise.name, exercise.symbol)
    except AttributeError as error:
        if error.name != exercise.symbol:
            raise
        return tr(
            "solutions/{name}.py does not define {symbol}, as the stub in assignments/{name}.py is called",
            name=exercise.name,
            symbol=exercise.symbol,
        )
    return None
