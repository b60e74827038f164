"""The copy of the course's own file that a run keeps beside its results."""

import json
from pathlib import Path

from graders.course.course_table import unreadable, with_folder
from graders.locations import COURSE_FILE, chosen_course
from graders.results.atomic_write import write_atomically
from graders.results.read_below import read_below

LIMIT = 1_000_000  # bytes of the file


def kept_course(out: Path) -> Path | None:
    """The course's file that an earlier run kept in `out`; None if it kept none.

    Raises:
        BadCourse: what has its name there is no plain file. Without it, points would be others.
    """
    try:
        read_below(out, LIMIT, COURSE_FILE)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise unreadable(str(out / COURSE_FILE), error) from error
    return out / COURSE_FILE


def keep_course(out: Path) -> None:
    """Keep the course's own file in `out`, so that later commands give the same marks.

    The copy says where the course lies, whose exercises are not copied.
    """
    course, text = chosen_course(), text_to_keep()
    if course is not None and text is not None and course.file != out / COURSE_FILE:
        write_atomically(out / COURSE_FILE, text.encode())


def text_to_keep() -> str | None:
    """The text of the course's own file, which says where the course lies; None for the shipped course."""
    course = chosen_course()
    if course is None:
        return None
    folder = json.dumps(str(course.own.assignments.parent), ensure_ascii=False)
    return with_folder(course.file.read_bytes().decode(), folder)
