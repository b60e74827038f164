"""Find a course: in the folder or file that is named, or around the current folder."""

import os
import tomllib
from dataclasses import replace
from pathlib import Path

from graders import locations
from graders.course.course_table import (
    COURSE,
    BadEntry,
    CourseTable,
    at_line,
    has_course_table,
    parse_course,
    read_course_text,
    unreadable,
)
from graders.language import tr
from graders.locations import COURSE_FILE, Course, CourseFolder, own_folder, shipped_course, shipped_folder


def open_course(path: Path) -> Course:
    """The course of a folder with a course.toml, or of such a file.

    A file without a table `[course]` is of the exercises that softmark ships, with other points and dates.

    Raises:
        BadCourse: the file is missing or cannot be read, or its table `[course]` is wrong.
    """
    file = path / COURSE_FILE if path.is_dir() else path
    text = read_course_text(file)
    if file.resolve() == locations.SHIPPED_FILE.resolve():
        return shipped_course()
    try:
        table = parse_course(text).course
    except tomllib.TOMLDecodeError as error:
        raise unreadable(file.name, error) from error
    except BadEntry as error:
        raise at_line(file.name, text, error, COURSE) from error
    return shipped_course(file) if table is None else _own_course(file, table)


def _own_course(file: Path, table: CourseTable) -> Course:
    folder = (Path(table.folder) if table.folder else file.parent).resolve()
    below = (_shipped_below(folder, table),) if table.extends else ()
    return Course(file, (own_folder(folder), *below), file.name)


def _shipped_below(folder: Path, table: CourseTable) -> CourseFolder:
    shipped = shipped_folder()
    if table.solutions and locations.SOLUTIONS_VARIABLE not in os.environ:
        return replace(shipped, solutions=(folder / table.solutions).resolve())
    return shipped


def find_course(folder: Path) -> Path | None:
    """The course.toml with a table `[course]` in this folder or the nearest one above it; None without one.

    Checks are programs, so that another user's file is passed over: anybody may write into /tmp.
    """
    for place in (folder, *folder.parents):
        file = place / COURSE_FILE
        if file.is_file() and file != locations.SHIPPED_FILE and _is_ours(file) and _is_of_a_course(file):
            return file
    return None


def tell_handed_in(course: Course, handed_in: Path) -> str | None:
    """Why a course that was found is not used: it lies in what is handed in, and its checks are programs."""
    if not course.file.resolve().is_relative_to(handed_in.resolve()):
        return None
    return tr(
        "{file} is not used as the course, since it lies in what is handed in: --course names a course",
        file=course.file,
    )


def _is_ours(file: Path) -> bool:
    if not hasattr(os, "getuid"):  # as on Windows
        return True
    return file.stat().st_uid in (0, os.getuid()) and file.parent.stat().st_uid in (0, os.getuid())


def _is_of_a_course(file: Path) -> bool:
    try:
        return has_course_table(file.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return False
