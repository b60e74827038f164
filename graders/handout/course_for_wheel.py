"""What softmark's wheel holds of the course in a handout: students' checks are those of this course."""

import re

from graders import locations
from graders.course.course_file import own_file
from graders.handout.public_files import files_of_course, place_in_wheel
from graders.locations import COURSE_FILE

# Where the course and softmark's solutions lie on the instructor's machine. No other table has such a key.
_PLACES = re.compile(rb"^[ \t]*(?:folder|solutions)[ \t]*=[^\n]*\n?", re.MULTILINE)


def course_for_wheel() -> dict[str, bytes]:
    """The files by their paths in the wheel: of somebody's own course all but the solutions.

    Of a file with other points and dates for the exercises that softmark ships, this file alone.
    """
    if locations.course().is_own:
        files = {path.as_posix(): file.read_bytes() for path, file in files_of_course()}
        listed = place_in_wheel(locations.HANDED_OUT / COURSE_FILE)
        return {**files, listed.as_posix(): _PLACES.sub(b"", locations.course().file.read_bytes())}
    own = own_file()
    return {place_in_wheel(locations.SHIPPED_FILE).as_posix(): own.read_bytes()} if own else {}
