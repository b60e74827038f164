"""The course's file: which assignments there are, what they hold, and what handing in late costs.

It is `assignments/course.toml`, unless a command was given another one, with other dates and points. A course
in one language says so above its assignments: `languages = ["en"]`.
"""

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from graders.course import speed_policy
from graders.course.late_policy import BadRule, LatePolicy, late_policy_of
from graders.course.loss_policy import loss_policy_of
from graders.language import LANGUAGES, Language, tr
from graders.locations import ASSIGNMENTS, CHECKS

_KEYS = {"title", "title_fr", "exercises", "late", "trained"}  # of an assignment
ALL_POINTS = 20  # of an assignment
_LANGUAGES = "languages"  # the one key of the file that is no assignment
_own: Path | None = None


@dataclass(frozen=True)
class _Course:
    """The tables of the assignments by name, and what the file says of its languages."""

    assignments: dict[str, Any]
    languages: Any


class BadCourse(Exception):
    """What is wrong with a course's file: a sentence for the instructor."""


def use_course(path: Path | None) -> None:
    """Read the course from this file from now on; None is the file that comes with softmark."""
    global _own
    _own = path


@contextmanager
def using_course(path: Path | None) -> Iterator[None]:
    """Read the course from this file within the context; None is the file that comes with softmark."""
    before = _own
    use_course(path)
    try:
        yield
    finally:
        use_course(before)


def own_course() -> Path | None:
    """The course's own file; None while the one that comes with softmark is used."""
    return _own


def read_course() -> dict[str, Any]:
    """The tables of the assignments by name; the same for the same text, so nobody may change them."""
    return _parse(course_path().read_text(encoding="utf-8")).assignments


def course_path() -> Path:
    """Where the course's file lies."""
    return _own or ASSIGNMENTS / "course.toml"


def course_languages() -> tuple[Language, ...]:
    """The languages in which the texts of the course are complete; both if its file says none.

    Raises:
        BadCourse: what the file says is no list of languages that softmark speaks.
    """
    said = _parse(course_path().read_text(encoding="utf-8")).languages
    if not isinstance(said, list) or not said or not all(language in LANGUAGES for language in said):
        raise BadCourse(
            tr('{file}: languages must be ["en"], ["fr"] or ["en", "fr"]', file=course_path().name)
        )
    return tuple(language for language in LANGUAGES if language in said)


@lru_cache(maxsize=8)  # a command asks for it some five times
def _parse(text: str) -> _Course:
    tables = tomllib.loads(text)
    return _Course(tables, tables.pop(_LANGUAGES, list(LANGUAGES)))


def late_policy(name: str) -> LatePolicy | None:
    """The late policy of an assignment; None if it has none, or if there is no such assignment.

    Raises:
        BadRule: its table `late` in the course's file is wrong.
    """
    table = read_course().get(name, {}).get("late")
    return None if table is None else late_policy_of(table)


def require_course() -> None:
    """Require that the course's file can be read.

    Raises:
        BadCourse: it is no TOML, or one of its tables is wrong.
    """
    name = course_path().name
    try:
        course = read_course()
    except (OSError, ValueError) as error:
        message = tr("{file} cannot be read: {reason}", file=name, reason=" ".join(str(error).split()))
        raise BadCourse(message) from error
    course_languages()
    for assignment, table in course.items():
        try:
            _require_assignment(table)
        except (BadCourse, BadRule, speed_policy.BadRule) as error:
            message = tr("{file}, [{assignment}]: {error}", file=name, assignment=assignment, error=error)
            raise BadCourse(message) from error


def _require_assignment(table: Any) -> None:
    if not isinstance(table, Mapping) or not isinstance(table.get("title"), str):
        raise BadCourse(tr("write a table with a title and exercises"))
    if unknown := sorted(set(table) - _KEYS):
        known = ", ".join(sorted(_KEYS))
        raise BadCourse(
            tr("there is no {unknown}; there are {known}", unknown=", ".join(unknown), known=known)
        )
    if "late" in table:
        late_policy_of(table["late"])
    if "trained" in table:
        _require_trained(table["trained"])
    exercises = table.get("exercises")
    if not isinstance(exercises, list) or not exercises:
        raise BadCourse(tr('write its exercises, such as [{ name = "concat_heads", points = 2 }]'))
    for exercise in exercises:
        _require_exercise(exercise)


def _require_trained(table: Any) -> None:
    try:
        loss_policy_of(table)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise BadCourse(tr("trained: write a corpus, and targets as numbers")) from error


def _require_exercise(exercise: Any) -> None:
    name = exercise.get("name") if isinstance(exercise, Mapping) else None
    if not isinstance(name, str) or not name.isidentifier() or not isinstance(exercise.get("title"), str):
        raise BadCourse(tr("each exercise needs a name, a title and points"))
    if not (CHECKS / f"{name}.py").is_file() or not (ASSIGNMENTS / f"{name}.py").is_file():
        raise BadCourse(tr("there is no exercise {name}", name=repr(name)))
    points = exercise.get("points")
    if isinstance(points, bool) or not isinstance(points, int | float) or not 0 < points < float("inf"):
        raise BadCourse(tr("{name}: points must be a number above 0", name=name))
    if "timing" in exercise:
        speed_policy.speed_policy_of(exercise["timing"], float(points))
