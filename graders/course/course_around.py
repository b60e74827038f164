"""Use the course around a folder, where no option names one: in pytest and in a notebook."""

from collections.abc import Iterable
from pathlib import Path

from graders.course.course_file import require_course
from graders.course.open_course import find_course, open_course, tell_handed_in
from graders.language import tr
from graders.locations import course, use_course


def use_course_around(folder: Path, handed_in: Iterable[Path] = ()) -> str | None:
    """Let the course around a folder be that of this process, unless it lies in what is handed in.

    Args:
        folder: the current one.
        handed_in: the folders that are judged.

    Returns:
        which course is used, or why it is not, as a sentence; None where there is none around the folder.

    Raises:
        BadCourse: its file cannot be used.
    """
    file = find_course(folder)
    if file is None:
        return None
    found = open_course(file)
    for submission in handed_in:
        if said := tell_handed_in(found, submission):
            return said
    before = course()
    use_course(found)
    try:
        require_course()
    except Exception:
        use_course(before)
        raise
    return tr("The course is that of {file}.", file=file)
