"""What softmark's wheel holds of the course in a handout: students' checks are those of this course."""

from graders import locations
from graders.course.course_file import own_file
from graders.course.course_table import without
from graders.handout.public_files import files_of_course, place_in_wheel
from graders.locations import COURSE_FILE

_PLACES = ("folder", "solutions")  # keys that say where something lies on the instructor's machine


def course_for_wheel() -> dict[str, bytes]:
    """The files by their paths in the wheel: of somebody's own course all but the solutions.

    Of a file with other points and dates for the exercises that softmark ships, this file alone.
    """
    if locations.course().is_own:
        files = {path.as_posix(): file.read_bytes() for path, file in files_of_course()}
        listed = place_in_wheel(locations.HANDED_OUT / COURSE_FILE)
        return {**files, listed.as_posix(): without(locations.course().file.read_bytes(), *_PLACES)}
    own = own_file()
    return {place_in_wheel(locations.SHIPPED_FILE).as_posix(): own.read_bytes()} if own else {}
