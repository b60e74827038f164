"""The course's file: which assignments there are, what they hold, and what handing in late costs.

It is `assignments/course.toml`, or the file of a course of one's own (`open_course.py`). A process has one
course, as it has one language.
"""

import tomllib
from collections.abc import Mapping
from datetime import tzinfo
from functools import lru_cache
from pathlib import Path
from typing import Any

from graders import locations
from graders.course.attempt_policy import LATEST, AttemptPolicy, attempt_policy_of
from graders.course.course_table import (
    COURSE,
    BadEntry,
    CourseTable,
    at_line,
    parse_course,
    read_course_text,
    unreadable,
)
from graders.course.extend import extend
from graders.course.late_policy import LatePolicy, late_policy_of
from graders.course.require_entries import require_assignment, require_folder, require_once
from graders.language import Language

OF_SHIPPED = CourseTable(points=20)  # of a file without a table `[course]`


def course_path() -> Path:
    """Where the course's file lies."""
    return locations.course().file


def own_file() -> Path | None:
    """The course's file; None while it is the one that comes with softmark."""
    chosen = locations.chosen_course()
    return chosen.file if chosen else None


def read_course() -> dict[str, Any]:
    """The tables of the assignments by name; the same for the same text, so nobody may change them."""
    text = course_path().read_text(encoding="utf-8")
    return _tables(text, _shipped_text() if _extends() else None)


def course_table() -> CourseTable:
    """What the course's file says of the course itself.

    Raises:
        BadEntry: it is wrong.
    """
    text = course_path().read_text(encoding="utf-8")
    return parse_course(text).course or OF_SHIPPED


def course_languages() -> tuple[Language, ...]:
    """The languages in which the texts of the course are complete; both if its file says none.

    Raises:
        BadCourse: what the file says is no list of languages that softmark speaks.
    """
    text = course_path().read_text(encoding="utf-8")
    try:
        return parse_course(text).languages
    except BadEntry as error:
        raise at_line(course_path().name, text, error, COURSE) from error


def late_policy(name: str) -> LatePolicy | None:
    """The late policy of an assignment; None if it has none, or if there is no such assignment.

    Raises:
        BadRule: its table `late` in the course's file is wrong.
    """
    table = read_course().get(name, {}).get("late")
    return None if table is None else late_policy_of(table, _time_zone())


def attempt_policy(name: str) -> AttemptPolicy:
    """Which of several hand-ins of an assignment counts.

    Raises:
        BadRule: what the course's file says is wrong.
    """
    table = read_course().get(name, {})
    return attempt_policy_of(table.get("attempt", LATEST), has_late_rule="late" in table)


def require_course(*, with_files: bool = True) -> None:
    """Require that the course's file can be read.

    Args:
        with_files: whether its exercises are needed, too; marks are made without them.

    Raises:
        BadCourse: it is no TOML, or one of its entries is wrong. The text has the file and the line.
    """
    file, text = course_path(), read_course_text(course_path())
    try:
        own = parse_course(text)
    except tomllib.TOMLDecodeError as error:
        raise unreadable(file.name, error) from error
    except BadEntry as error:
        raise at_line(file.name, text, error, COURSE) from error
    shipped = _tables(_shipped_text(), None) if _extends() else {}
    zone = own.course.time_zone if own.course else None
    table = COURSE
    try:
        if own.course is not None and with_files:
            require_folder(own.course)
        for table, entry in own.assignments.items():
            require_assignment(table, entry, shipped, zone, with_files=with_files)
            if own.course is not None:
                require_once(table, own.assignments)
    except BadEntry as error:
        raise at_line(file.name, text, error, table) from error


def _time_zone() -> tzinfo | None:
    return course_table().time_zone


def _extends() -> bool:
    return len(locations.course().folders) > 1


def _shipped_text() -> str:
    return locations.SHIPPED_FILE.read_text(encoding="utf-8")


@lru_cache(maxsize=8)  # a command asks for it some five times
def _tables(text: str, shipped: str | None) -> dict[str, Any]:
    own: Mapping[str, Any] = parse_course(text).assignments
    return dict(own) if shipped is None else extend(own, _tables(shipped, None))
