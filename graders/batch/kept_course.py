"""The copy of the course's own file that a run keeps beside its results."""

import json
from pathlib import Path

from graders.course.course_table import with_folder
from graders.locations import COURSE_FILE, chosen_course
from graders.results.atomic_write import write_atomically


def kept_course(out: Path) -> Path | None:
    """The course's file that an earlier run kept in `out`; None if it kept none."""
    path = out / COURSE_FILE
    return path if path.is_file() else None


def keep_course(out: Path) -> None:
    """Keep the course's own file in `out`, so that later commands give the same marks.

    The copy says where the course lies, whose exercises are not copied.
    """
    course = chosen_course()
    if course is not None and course.file != out / COURSE_FILE:
        folder = course.own.assignments.parent
        text = with_folder(course.file.read_bytes().decode(), json.dumps(str(folder), ensure_ascii=False))
        write_atomically(out / COURSE_FILE, text.encode())
