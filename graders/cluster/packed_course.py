"""The files of somebody's own course go with a run: a worker grades by them, whatever it has itself."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath

from graders.course.open_course import open_course
from graders.locations import COURSE_FILE, OWN_PLACES, Course, course, own_folder

_BYTES = "surrogateescape"  # a file that is broken comes as it is, and costs its exercise alone


def pack_course() -> dict[str, str]:
    """The texts of the stubs, checks and solutions of somebody's own course, by path; else none.

    Its right answers, which grading does not read, are left out.
    """
    folders = course().own.named if course().is_own else ()
    return {
        f"{place}/{path.name}": path.read_bytes().decode(errors=_BYTES)
        for place, folder in folders
        for path in sorted(folder.glob("*.py"))
    }


def unpack_course(file_text: str, files: Mapping[str, str], folder: Path) -> Course:
    """Write the files of a course into a folder of its own below `folder`; return the course.

    Args:
        file_text: that of the course's file; what it says of places is about the host's machine.
        files: as `pack_course` gives them.
        folder: where nothing of a course lies yet.

    Raises:
        ValueError: a file lies elsewhere.
        BadCourse: the course's file is wrong.
    """
    place = folder / "course"
    for name, text in {COURSE_FILE: file_text, **files}.items():
        first, *more = PurePosixPath(name).parts
        if name != COURSE_FILE and (first not in OWN_PLACES or len(more) != 1 or more == [".."]):
            raise ValueError(f"{name} is no file of a course")
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode(errors=_BYTES))
    opened = open_course(place)
    return replace(opened, folders=(own_folder(place), *opened.folders[1:])) if opened.is_own else opened
